package io.storageengine.gateway.auth;

import static org.assertj.core.api.Assertions.assertThat;

import io.storageengine.core.Failure;
import io.storageengine.core.Outcome;
import io.storageengine.gateway.door.Target;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// With the examples that AWS publishes.
class SigV4Test {
    private static final AccessKey KEY =
            new AccessKey("AKIAIOSFODNN7EXAMPLE", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY");
    private static final String HOST = "examplebucket.s3.amazonaws.com";
    private static final String DATE = "20130524T000000Z";
    private static final String EMPTY = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
    private static final long NOW = Instant.parse("2013-05-24T00:00:00Z").toEpochMilli();

    private final SigV4 signatures = new SigV4(id -> id.equals(KEY.id()) ? Optional.of(KEY) : Optional.empty());

    private static SignedRequest request(
            String method, String target, String signedHeaders, String signature, Map<String, String> more) {
        Map<String, String> headers = new HashMap<>(Map.of("host", HOST, "x-amz-date", DATE));
        headers.put("x-amz-content-sha256", EMPTY);
        headers.putAll(more);
        headers.put(
                "authorization",
                "AWS4-HMAC-SHA256 Credential=" + KEY.id() + "/20130524/us-east-1/s3/aws4_request,SignedHeaders="
                        + signedHeaders + ",Signature=" + signature);
        Target parsed = Target.parse(target);
        return new SignedRequest(method, parsed.path(), parsed.params(true).orElseThrow(), headers);
    }

    private static SignedRequest getObject() {
        return request(
                "GET",
                "/test.txt",
                "host;range;x-amz-content-sha256;x-amz-date",
                "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41",
                Map.of("range", "bytes=0-9"));
    }

    private static String code(Outcome<SigV4.Verified> outcome) {
        return outcome instanceof Outcome.Failed<SigV4.Verified>(Failure failure) ? failure.code() : "none";
    }

    @Test
    void getObject_example() {
        assertThat(signatures.verify(getObject(), NOW).orThrow().keyId()).isEqualTo(KEY.id());
    }

    @Test
    void putObject_exampleWithAnEncodedPath() {
        SignedRequest put = request(
                "PUT",
                "/test%24file.text",
                "date;host;x-amz-content-sha256;x-amz-date;x-amz-storage-class",
                "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd",
                Map.of(
                        "date", "Fri, 24 May 2013 00:00:00 GMT",
                        "x-amz-storage-class", "REDUCED_REDUNDANCY",
                        "x-amz-content-sha256", "44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072"));
        assertThat(code(signatures.verify(put, NOW))).isEqualTo("none");
    }

    @Test
    void subresource_exampleWithoutAValue() {
        SignedRequest get = request(
                "GET",
                "/?lifecycle",
                "host;x-amz-content-sha256;x-amz-date",
                "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543",
                Map.of());
        assertThat(code(signatures.verify(get, NOW))).isEqualTo("none");
    }

    @Test
    void list_exampleWithParameters() {
        SignedRequest get = request(
                "GET",
                "/?max-keys=2&prefix=J",
                "host;x-amz-content-sha256;x-amz-date",
                "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7",
                Map.of());
        assertThat(code(signatures.verify(get, NOW))).isEqualTo("none");
    }

    private static SignedRequest presigned(String signature) {
        Target target = Target.parse("/test.txt?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=" + KEY.id()
                + "%2F20130524%2Fus-east-1%2Fs3%2Faws4_request&X-Amz-Date=" + DATE
                + "&X-Amz-Expires=86400&X-Amz-SignedHeaders=host&X-Amz-Signature=" + signature);
        return new SignedRequest("GET", target.path(), target.params(true).orElseThrow(), Map.of("host", HOST));
    }

    @Test
    void presigned_exampleIsGoodForItsTime() {
        SignedRequest get = presigned("aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404");
        assertThat(code(signatures.verify(get, NOW + 86_400_000))).isEqualTo("none");
        assertThat(code(signatures.verify(get, NOW + 86_400_001))).isEqualTo("AccessDenied");
        assertThat(code(signatures.verify(presigned("00"), NOW))).isEqualTo("SignatureDoesNotMatch");
    }

    @Test
    void chunks_example() {
        SignedRequest put = request(
                "PUT",
                "/examplebucket/chunkObject.txt",
                "content-encoding;content-length;host;x-amz-content-sha256;x-amz-date;x-amz-decoded-content-length;"
                        + "x-amz-storage-class",
                "4f232c4386841ef735655705268965c44a0e4690baa4adea153f7db9fa80a0a9",
                Map.of(
                        "host", "s3.amazonaws.com",
                        "content-encoding", "aws-chunked",
                        "content-length", "66824",
                        "x-amz-content-sha256", "STREAMING-AWS4-HMAC-SHA256-PAYLOAD",
                        "x-amz-decoded-content-length", "66560",
                        "x-amz-storage-class", "REDUCED_REDUNDANCY"));
        Signing signing = signatures.verify(put, NOW).orThrow().signing();
        byte[] as = "a".repeat(65_536).getBytes(StandardCharsets.US_ASCII);
        String first = signing.chunk(signing.seed(), Hashes.sha256Hex(as));
        assertThat(first).isEqualTo("ad80c730a21e5b8d04586a2213dd63b9a0e99e0e2307b0ade35a65485a288648");
        String second = signing.chunk(first, Hashes.sha256Hex("a".repeat(1_024)));
        assertThat(second).isEqualTo("0055627c9e194cb4542bae2aa5492e3c1575bbb81b612b7d234b86a503ef5497");
        assertThat(signing.chunk(second, Hashes.sha256Hex("")))
                .isEqualTo("b6c6ea8a5354eaf15b3cb7646744f4275b71ea724fed81ceb9323e279d449df9");
    }

    @Test
    void anotherPathIsAnotherSignature() {
        SignedRequest good = getObject();
        SignedRequest bad = new SignedRequest("GET", "/other.txt", good.params(), good.headers());
        assertThat(code(signatures.verify(bad, NOW))).isEqualTo("SignatureDoesNotMatch");
    }

    @Test
    void aClockIsAtMostFifteenMinutesOff() {
        assertThat(code(signatures.verify(getObject(), NOW + 900_000))).isEqualTo("none");
        assertThat(code(signatures.verify(getObject(), NOW + 900_001))).isEqualTo("RequestTimeTooSkewed");
        assertThat(code(signatures.verify(getObject(), NOW - 900_001))).isEqualTo("RequestTimeTooSkewed");
    }

    @Test
    void aHeaderThatChangesTheRequestIsSigned() {
        SignedRequest good = getObject();
        Map<String, String> headers = new HashMap<>(good.headers());
        headers.put("x-amz-copy-source", "/secret/key");
        SignedRequest bad = new SignedRequest("GET", good.rawPath(), good.params(), headers);
        assertThat(code(signatures.verify(bad, NOW))).isEqualTo("AccessDenied");
    }

    @Test
    void whoSignsNothingOrOtherwiseIsToldSo() {
        assertThat(code(signatures.verify(new SignedRequest("GET", "/", List.of(), Map.of()), NOW)))
                .isEqualTo("AccessDenied");
        assertThat(code(signatures.verify(
                        new SignedRequest("GET", "/", List.of(), Map.of("authorization", "AWS id:signature")), NOW)))
                .isEqualTo("InvalidRequest");
        SigV4 nobody = new SigV4(id -> Optional.empty());
        assertThat(code(nobody.verify(getObject(), NOW))).isEqualTo("InvalidAccessKeyId");
    }

    @Test
    void aMalformedHeaderIsRefused() {
        for (String bad : List.of("AWS4-HMAC-SHA256", "AWS4-HMAC-SHA256 Credential=a/b", "AWS4-HMAC-SHA256 ,,,=")) {
            Map<String, String> headers = Map.of("authorization", bad, "x-amz-content-sha256", EMPTY);
            assertThat(code(signatures.verify(new SignedRequest("GET", "/", List.of(), headers), NOW)))
                    .isEqualTo("AuthorizationHeaderMalformed");
        }
    }
}
