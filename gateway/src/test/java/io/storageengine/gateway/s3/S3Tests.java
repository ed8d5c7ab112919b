package io.storageengine.gateway.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.storageengine.gateway.TestServer;
import java.net.URI;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.ResponseBytes;
import software.amazon.awssdk.core.async.AsyncRequestBody;
import software.amazon.awssdk.core.async.AsyncResponseTransformer;
import software.amazon.awssdk.http.nio.netty.NettyNioAsyncHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3AsyncClient;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.PutObjectResponse;
import software.amazon.awssdk.services.s3.model.S3Exception;

/// The AWS SDK against the S3 API over HTTP, on storage in memory.
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class S3Tests {
    static final String BUCKET = "bucket";

    TestServer server;
    S3AsyncClient s3;

    @BeforeAll
    void start() throws Exception {
        server = new TestServer("", new Hidden(BUCKET, "cluster/"), 1_000);
        s3 = client(TestServer.KEY.secret());
        s3.createBucket(b -> b.bucket(BUCKET)).join();
    }

    S3AsyncClient client(String secret) {
        return S3AsyncClient.builder()
                .endpointOverride(URI.create(server.uri("")))
                .forcePathStyle(true)
                .region(Region.US_EAST_1)
                .credentialsProvider(
                        StaticCredentialsProvider.create(AwsBasicCredentials.create(TestServer.KEY.id(), secret)))
                .httpClientBuilder(NettyNioAsyncHttpClient.builder().readTimeout(Duration.ofSeconds(60)))
                .build();
    }

    @AfterAll
    void stop() throws Exception {
        s3.close();
        server.close();
    }

    static byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        return bytes;
    }

    PutObjectResponse put(String key, byte[] bytes) {
        return s3.putObject(b -> b.bucket(BUCKET).key(key), AsyncRequestBody.fromBytes(bytes))
                .join();
    }

    ResponseBytes<GetObjectResponse> get(String key) {
        return s3.getObject(b -> b.bucket(BUCKET).key(key), AsyncResponseTransformer.toBytes())
                .join();
    }

    ResponseBytes<GetObjectResponse> get(String key, String range) {
        return s3.getObject(b -> b.bucket(BUCKET).key(key).range(range), AsyncResponseTransformer.toBytes())
                .join();
    }

    static void fails(int status, String code, CompletableFuture<?> call) {
        assertThatThrownBy(call::join)
                .isInstanceOf(CompletionException.class)
                .cause()
                .isInstanceOfSatisfying(S3Exception.class, e -> {
                    assertThat(e.statusCode()).as(e.getMessage()).isEqualTo(status);
                    if (!code.isEmpty())
                        assertThat(e.awsErrorDetails().errorCode()).isEqualTo(code);
                });
    }
}
