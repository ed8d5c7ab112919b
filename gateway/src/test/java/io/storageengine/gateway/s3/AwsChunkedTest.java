package io.storageengine.gateway.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.storageengine.core.FailureException;
import io.storageengine.gateway.auth.AccessKey;
import io.storageengine.gateway.auth.Hashes;
import io.storageengine.gateway.auth.SigV4;
import io.storageengine.gateway.auth.SignedRequest;
import io.storageengine.gateway.auth.Signing;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class AwsChunkedTest {
    private static final long NOW = Instant.parse("2013-05-24T00:00:00Z").toEpochMilli();

    /// AWS's published example of a signed body: its head gives the chain's first link.
    private static Signing exampleSigning() {
        AccessKey key = new AccessKey("AKIAIOSFODNN7EXAMPLE", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY");
        SigV4 signatures = new SigV4(id -> Optional.of(key));
        Map<String, String> headers = Map.of(
                "host", "s3.amazonaws.com",
                "content-encoding", "aws-chunked",
                "content-length", "66824",
                "x-amz-content-sha256", "STREAMING-AWS4-HMAC-SHA256-PAYLOAD",
                "x-amz-date", "20130524T000000Z",
                "x-amz-decoded-content-length", "66560",
                "x-amz-storage-class", "REDUCED_REDUNDANCY",
                "authorization",
                        "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request, "
                                + "SignedHeaders=content-encoding;content-length;host;x-amz-content-sha256;x-amz-date;"
                                + "x-amz-decoded-content-length;x-amz-storage-class, "
                                + "Signature=4f232c4386841ef735655705268965c44a0e4690baa4adea153f7db9fa80a0a9");
        return signatures
                .verify(new SignedRequest("PUT", "/examplebucket/chunkObject.txt", List.of(), headers), NOW)
                .orThrow()
                .signing();
    }

    private static final String EXAMPLE =
            "10000;chunk-signature=ad80c730a21e5b8d04586a2213dd63b9a0e99e0e2307b0ade35a65485a288648\r\n"
                    + "a".repeat(65_536)
                    + "\r\n400;chunk-signature=0055627c9e194cb4542bae2aa5492e3c1575bbb81b612b7d234b86a503ef5497\r\n"
                    + "a".repeat(1_024)
                    + "\r\n0;chunk-signature=b6c6ea8a5354eaf15b3cb7646744f4275b71ea724fed81ceb9323e279d449df9\r\n\r\n";

    /// Gives its bytes up to a position, then the rest: as two packets.
    private static InputStream split(String text, int at) {
        byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        return new InputStream() {
            private int position;

            @Override
            public int read() {
                return position < bytes.length ? bytes[position++] & 0xff : -1;
            }

            @Override
            public int read(byte[] target, int offset, int length) {
                if (position == bytes.length) return -1;
                int end = position < at ? at : bytes.length;
                int count = Math.min(length, end - position);
                System.arraycopy(bytes, position, target, offset, count);
                position += count;
                return count;
            }
        };
    }

    private static String decode(InputStream in, @Nullable Signing signing, boolean trailing) throws IOException {
        return new String(new AwsChunked(in, signing, trailing).readAllBytes(), StandardCharsets.ISO_8859_1);
    }

    private static InputStream whole(String text) {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    @Test
    void theExampleOfAwsIsDecoded() throws IOException {
        assertThat(decode(whole(EXAMPLE), exampleSigning(), false)).isEqualTo("a".repeat(66_560));
    }

    @Test
    void aBodyMayBeSplitAnywhere() throws IOException {
        String body = "5\r\nhello\r\n1\r\n \r\nA\r\n0123456789\r\n0\r\nx-amz-checksum-crc32:AAAAAA==\r\n\r\n";
        for (int at = 0; at <= body.length(); at++) {
            AwsChunked chunked = new AwsChunked(split(body, at), null, true);
            assertThat(chunked.readAllBytes()).as("split at %s", at).asString().isEqualTo("hello 0123456789");
            assertThat(chunked.trailers()).isEqualTo(Map.of("x-amz-checksum-crc32", "AAAAAA=="));
        }
    }

    @Test
    void everyChangedByteOfASignedBodyIsNoticed() {
        for (int at : List.of(0, 20, 90, 66_000, 65_640, EXAMPLE.length() - 10)) {
            char[] changed = EXAMPLE.toCharArray();
            changed[at] = changed[at] == '1' ? '2' : '1';
            assertThatThrownBy(() -> decode(whole(new String(changed)), exampleSigning(), false))
                    .as("changed at %s", at)
                    .isInstanceOf(IOException.class)
                    .hasCauseInstanceOf(FailureException.class);
        }
    }

    @Test
    void aBodyThatEndsEarlyIsNotWhole() {
        for (int end = 0; end < EXAMPLE.length() - 4; end += 997) {
            String cut = EXAMPLE.substring(0, end);
            assertThatThrownBy(() -> decode(whole(cut), exampleSigning(), false))
                    .as("cut at %s", end)
                    .isInstanceOf(IOException.class);
        }
    }

    @Test
    void trailersAreSignedWhenTheBodyIs() throws IOException {
        Signing signing = exampleSigning();
        String first = signing.chunk(signing.seed(), Hashes.sha256Hex("hi".getBytes(StandardCharsets.US_ASCII)));
        String last = signing.chunk(first, Hashes.sha256Hex(new byte[0]));
        String trailer = signing.trailer(last, "x-amz-checksum-crc32:AAAAAA==\n");
        String start = "2;chunk-signature=" + first + "\r\nhi\r\n0;chunk-signature=" + last + "\r\n";
        String good = start + "x-amz-checksum-crc32:AAAAAA==\r\nx-amz-trailer-signature:" + trailer + "\r\n\r\n";
        assertThat(decode(whole(good), signing, true)).isEqualTo("hi");
        for (String bad : List.of(
                good.replace("AAAAAA==", "AAAAAQ=="),
                start + "x-amz-checksum-crc32:AAAAAA==\r\n\r\n",
                start + "\r\n")) {
            assertThatThrownBy(() -> decode(whole(bad), signing, true)).hasCauseInstanceOf(FailureException.class);
        }
    }

    @Test
    void nonsenseIsRefused() {
        for (String bad : List.of(
                "x\r\n",
                "-5\r\nhello\r\n0\r\n\r\n",
                "5\r\nhelloo\r\n0\r\n\r\n",
                "",
                "5" + "0".repeat(9_000) + "\r\n")) {
            assertThatThrownBy(() -> decode(whole(bad), null, false)).isInstanceOf(IOException.class);
        }
    }
}
