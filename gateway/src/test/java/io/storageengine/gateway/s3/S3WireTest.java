package io.storageengine.gateway.s3;

import static org.assertj.core.api.Assertions.assertThat;

import io.storageengine.core.Failure;
import io.storageengine.gateway.TestServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Configuration;
import software.amazon.awssdk.services.s3.presigner.S3Presigner;

/// What no SDK shows: bytes on the wire, with URLs that the SDK has signed.
class S3WireTest extends S3Tests {
    private URI presignedPut(String key) {
        return presigned(presigner -> presigner
                .presignPutObject(p -> p.signatureDuration(Duration.ofMinutes(5))
                        .putObjectRequest(b -> b.bucket(BUCKET).key(key)))
                .url()
                .toString());
    }

    private URI presigned(Function<S3Presigner, String> sign) {
        try (S3Presigner presigner = S3Presigner.builder()
                .endpointOverride(URI.create(server.uri("")))
                .region(Region.US_EAST_1)
                .serviceConfiguration(
                        S3Configuration.builder().pathStyleAccessEnabled(true).build())
                .credentialsProvider(StaticCredentialsProvider.create(
                        AwsBasicCredentials.create(TestServer.KEY.id(), TestServer.KEY.secret())))
                .build()) {
            return URI.create(sign.apply(presigner));
        }
    }

    private Socket open(String method, URI uri, String headers) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
        String head = method + " " + uri.getRawPath() + (uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery())
                + " HTTP/1.1\r\nHost: 127.0.0.1:" + server.port() + "\r\n" + headers + "\r\n";
        socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
        return socket;
    }

    /// Up to the empty line.
    private static String head(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        while (!head.toString().endsWith("\r\n\r\n")) {
            int c = in.read();
            if (c < 0) break;
            head.append((char) c);
        }
        return head.toString();
    }

    private String exchange(String method, String path) throws IOException {
        try (Socket socket = open(method, URI.create("http://h" + path), "Connection: close\r\n")) {
            socket.shutdownOutput();
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void aBodyIsAskedForOnlyOnceTheCallerIsKnown() throws IOException {
        String expect = "Content-Length: 5\r\nExpect: 100-continue\r\n";
        URI good = presignedPut("expect");
        try (Socket socket = open("PUT", good, expect)) {
            assertThat(head(socket.getInputStream())).isEqualTo("HTTP/1.1 100 Continue\r\n\r\n");
            socket.getOutputStream().write("hello".getBytes(StandardCharsets.US_ASCII));
            assertThat(head(socket.getInputStream())).startsWith("HTTP/1.1 200");
        }
        URI bad = URI.create(good.toString().replaceAll("Signature=[0-9a-f]{2}", "Signature=00"));
        try (Socket socket = open("PUT", bad, expect)) {
            assertThat(head(socket.getInputStream())).startsWith("HTTP/1.1 403");
        }
    }

    @Test
    void aPresignedUrlIsGoodForItsMethodAndKeyOnly() throws IOException {
        URI put = presignedPut("signed");
        try (Socket socket = open("PUT", put, "Content-Length: 2\r\n")) {
            socket.getOutputStream().write("ok".getBytes(StandardCharsets.US_ASCII));
            assertThat(head(socket.getInputStream())).startsWith("HTTP/1.1 200");
        }
        try (Socket socket = open("GET", put, "")) {
            assertThat(head(socket.getInputStream())).startsWith("HTTP/1.1 403");
        }
        URI get = presigned(presigner -> presigner
                .presignGetObject(p -> p.signatureDuration(Duration.ofMinutes(5))
                        .getObjectRequest(b -> b.bucket(BUCKET).key("signed").responseContentType("x/y")))
                .url()
                .toString());
        try (Socket socket = open("GET", get, "Connection: close\r\n")) {
            String head = head(socket.getInputStream());
            assertThat(head).startsWith("HTTP/1.1 200").contains("content-type: x/y\r\n");
            assertThat(socket.getInputStream().readNBytes(2)).asString().isEqualTo("ok");
        }
    }

    @Test
    void aSignedUrlDoesNotLetCopy() throws IOException {
        put("source", bytes(10));
        URI put = presignedPut("copied");
        try (Socket socket = open("PUT", put, "Content-Length: 0\r\nx-amz-copy-source: /bucket/source\r\n")) {
            assertThat(head(socket.getInputStream())).startsWith("HTTP/1.1 403");
        }
    }

    @Test
    void aBodyThatBreaksOffIsNoObject() throws IOException {
        URI put = presignedPut("broken");
        try (Socket socket = open("PUT", put, "Content-Length: 3000000\r\n")) {
            socket.getOutputStream().write(new byte[1_000_000]);
        }
        while (server.admission().inside() > 0) Thread.onSpinWait();
        assertThat(server.buckets().bucket(BUCKET).head("broken").failedWith(Failure.Kind.NOT_FOUND))
                .isTrue();
    }

    @Test
    void aBodyOfUnknownLengthIsRefused() throws IOException {
        try (Socket socket = open("PUT", presignedPut("chunked"), "Transfer-Encoding: chunked\r\n")) {
            socket.getOutputStream().write("1\r\nx\r\n0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            assertThat(head(socket.getInputStream())).startsWith("HTTP/1.1 411");
        }
    }

    @Test
    void errorsAreXmlWithTheRequestsIdAndHeadHasNoBody() throws IOException {
        assertThat(exchange("GET", "/bucket/x"))
                .startsWith("HTTP/1.1 403")
                .contains("<Code>AccessDenied</Code>")
                .contains("x-amz-request-id: ");
        assertThat(exchange("HEAD", "/bucket/x")).startsWith("HTTP/1.1 403").endsWith("\r\n\r\n");
        assertThat(exchange("GET", "/bucket/%ff")).startsWith("HTTP/1.1 400").contains("<Code>InvalidURI</Code>");
        assertThat(exchange("GET", "/bucket/x?AWSAccessKeyId=a&Signature=b&Expires=1"))
                .startsWith("HTTP/1.1 400")
                .contains("AWS4-HMAC-SHA256");
    }
}
