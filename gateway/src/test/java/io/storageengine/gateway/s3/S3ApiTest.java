package io.storageengine.gateway.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.storageengine.core.store.Content;
import io.storageengine.core.store.PutOptions;
import io.storageengine.gateway.TestServer;
import io.storageengine.gateway.auth.Hashes;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.ResponseBytes;
import software.amazon.awssdk.core.async.AsyncRequestBody;
import software.amazon.awssdk.core.async.AsyncResponseTransformer;
import software.amazon.awssdk.http.nio.netty.NettyNioAsyncHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3AsyncClient;
import software.amazon.awssdk.services.s3.model.ChecksumAlgorithm;
import software.amazon.awssdk.services.s3.model.ChecksumMode;
import software.amazon.awssdk.services.s3.model.CompletedPart;
import software.amazon.awssdk.services.s3.model.DeleteObjectsResponse;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.HeadObjectResponse;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Response;
import software.amazon.awssdk.services.s3.model.MetadataDirective;
import software.amazon.awssdk.services.s3.model.ObjectIdentifier;
import software.amazon.awssdk.services.s3.model.PutObjectResponse;
import software.amazon.awssdk.services.s3.model.S3Exception;

/// The AWS SDK against the S3 API over HTTP, on storage in memory.
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class S3ApiTest {
    private static final String BUCKET = "bucket";

    private TestServer server;
    private S3AsyncClient s3;

    @BeforeAll
    void start() throws Exception {
        server = new TestServer("", new Hidden(BUCKET, "cluster/"), 1_000);
        s3 = client(TestServer.KEY.secret());
        s3.createBucket(b -> b.bucket(BUCKET)).join();
    }

    private S3AsyncClient client(String secret) {
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

    private static byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        return bytes;
    }

    private PutObjectResponse put(String key, byte[] bytes) {
        return s3.putObject(b -> b.bucket(BUCKET).key(key), AsyncRequestBody.fromBytes(bytes))
                .join();
    }

    private ResponseBytes<GetObjectResponse> get(String key, String range) {
        return s3.getObject(b -> b.bucket(BUCKET).key(key).range(range), AsyncResponseTransformer.toBytes())
                .join();
    }

    private static void fails(int status, String code, CompletableFuture<?> call) {
        assertThatThrownBy(call::join)
                .isInstanceOf(CompletionException.class)
                .cause()
                .isInstanceOfSatisfying(S3Exception.class, e -> {
                    assertThat(e.statusCode()).as(e.getMessage()).isEqualTo(status);
                    if (!code.isEmpty())
                        assertThat(e.awsErrorDetails().errorCode()).isEqualTo(code);
                });
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 65_535, 65_536, 300_000, 12_345_678})
    void whatIsPutIsGot(int length) {
        byte[] bytes = bytes(length);
        PutObjectResponse put = put("sizes/" + length, bytes);
        String md5 = HexFormat.of().formatHex(Hashes.digest("MD5").digest(bytes));
        assertThat(put.eTag()).isEqualTo("\"" + md5 + "\"");
        ResponseBytes<GetObjectResponse> got = get("sizes/" + length, null);
        assertThat(got.asByteArray()).isEqualTo(bytes);
        assertThat(got.response().eTag()).isEqualTo(put.eTag());
        assertThat(got.response().contentLength()).isEqualTo(length);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a//b",
                "a/./b",
                "a/../b",
                "/leading",
                "trailing/",
                "sp ace",
                "plus+plus",
                "per%cent",
                "ünïcödé/世界",
                "a&b=c?d#e",
                "'\"<>"
            })
    void keysAreKeptAsTheyAre(String key) {
        byte[] bytes = key.getBytes(StandardCharsets.UTF_8);
        put("keys/" + key, bytes);
        assertThat(get("keys/" + key, null).asByteArray()).isEqualTo(bytes);
        ListObjectsV2Response listed = s3.listObjectsV2(
                        b -> b.bucket(BUCKET).prefix("keys/" + key).encodingType("url"))
                .join();
        assertThat(listed.contents())
                .anySatisfy(object -> assertThat(object.key()).isEqualTo("keys/" + key));
    }

    @Test
    void metadataAndHeadersComeBack() {
        s3.putObject(
                        b -> b.bucket(BUCKET)
                                .key("meta")
                                .metadata(Map.of("colour", "blue"))
                                .contentType("text/csv")
                                .contentEncoding("gzip")
                                .cacheControl("no-store"),
                        AsyncRequestBody.fromString("x"))
                .join();
        HeadObjectResponse head =
                s3.headObject(b -> b.bucket(BUCKET).key("meta")).join();
        assertThat(head.metadata()).isEqualTo(Map.of("colour", "blue"));
        assertThat(head.contentType()).isEqualTo("text/csv");
        assertThat(head.contentEncoding()).as("without aws-chunked").isEqualTo("gzip");
        assertThat(head.cacheControl()).isEqualTo("no-store");
        assertThat(head.contentLength()).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource(
            value = ChecksumAlgorithm.class,
            names = {"CRC32", "SHA1", "SHA256"})
    void checksumsAreKeptAndComeBack(ChecksumAlgorithm algorithm) {
        String key = "sums/" + algorithm;
        byte[] bytes = bytes(100_000);
        s3.putObject(b -> b.bucket(BUCKET).key(key).checksumAlgorithm(algorithm), AsyncRequestBody.fromBytes(bytes))
                .join();
        HeadObjectResponse head = s3.headObject(b -> b.bucket(BUCKET).key(key).checksumMode(ChecksumMode.ENABLED))
                .join();
        String sum = switch (algorithm) {
            case CRC32 -> head.checksumCRC32();
            case SHA1 -> head.checksumSHA1();
            default -> head.checksumSHA256();
        };
        assertThat(sum).isNotBlank();
    }

    @Test
    void aWrongChecksumWritesNothing() {
        fails(
                400,
                "BadDigest",
                s3.putObject(
                        b -> b.bucket(BUCKET)
                                .key("bad")
                                .contentMD5(Base64.getEncoder().encodeToString(new byte[16])),
                        AsyncRequestBody.fromString("x")));
        fails(
                400,
                "BadDigest",
                s3.putObject(
                        b -> b.bucket(BUCKET).key("bad").checksumCRC32("AAAAAA=="), AsyncRequestBody.fromString("x")));
        fails(404, "", s3.headObject(b -> b.bucket(BUCKET).key("bad")));
    }

    @Test
    void rangesAreExact() {
        byte[] bytes = bytes(1_000);
        put("range", bytes);
        assertThat(get("range", "bytes=10-19").asByteArray()).isEqualTo(Arrays.copyOfRange(bytes, 10, 20));
        assertThat(get("range", "bytes=990-").asByteArray()).isEqualTo(Arrays.copyOfRange(bytes, 990, 1_000));
        assertThat(get("range", "bytes=-3").asByteArray()).isEqualTo(Arrays.copyOfRange(bytes, 997, 1_000));
        assertThat(get("range", "bytes=10-19").response().contentRange()).isEqualTo("bytes 10-19/1000");
        assertThat(get("range", "bytes=0-5000").asByteArray()).isEqualTo(bytes);
        assertThat(get("range", "bytes=1-2,4-5").asByteArray())
                .as("several are ignored")
                .isEqualTo(bytes);
        fails(
                416,
                "InvalidRange",
                s3.getObject(
                        b -> b.bucket(BUCKET).key("range").range("bytes=1000-"), AsyncResponseTransformer.toBytes()));
    }

    @Test
    void writesAreConditional() {
        String etag = put("cond", bytes(1)).eTag();
        fails(
                412,
                "PreconditionFailed",
                s3.putObject(b -> b.bucket(BUCKET).key("cond").ifNoneMatch("*"), AsyncRequestBody.fromString("x")));
        fails(
                412,
                "PreconditionFailed",
                s3.putObject(b -> b.bucket(BUCKET).key("cond").ifMatch("\"other\""), AsyncRequestBody.fromString("x")));
        fails(
                404,
                "NoSuchKey",
                s3.putObject(b -> b.bucket(BUCKET).key("cond-no").ifMatch(etag), AsyncRequestBody.fromString("x")));
        s3.putObject(b -> b.bucket(BUCKET).key("cond").ifMatch(etag), AsyncRequestBody.fromString("x"))
                .join();
        s3.putObject(b -> b.bucket(BUCKET).key("cond-new").ifNoneMatch("*"), AsyncRequestBody.fromString("x"))
                .join();
    }

    @Test
    void readsAreConditional() {
        String etag = put("read", bytes(5)).eTag();
        fails(
                304,
                "",
                s3.getObject(b -> b.bucket(BUCKET).key("read").ifNoneMatch(etag), AsyncResponseTransformer.toBytes()));
        fails(
                412,
                "PreconditionFailed",
                s3.getObject(b -> b.bucket(BUCKET).key("read").ifMatch("\"x\""), AsyncResponseTransformer.toBytes()));
        s3.getObject(b -> b.bucket(BUCKET).key("read").ifMatch(etag), AsyncResponseTransformer.toBytes())
                .join();
    }

    @Test
    void listingsPage() {
        List<String> keys = new ArrayList<>();
        for (int i = 0; i < 7; i++) {
            put("list/" + i + "/a", bytes(0));
            put("list/" + i + "/b", bytes(0));
            keys.add("list/" + i + "/");
        }
        List<String> found = new ArrayList<>();
        s3.listObjectsV2Paginator(
                        b -> b.bucket(BUCKET).prefix("list/").delimiter("/").maxKeys(3))
                .subscribe(page -> page.commonPrefixes().forEach(prefix -> found.add(prefix.prefix())))
                .join();
        assertThat(found).isEqualTo(keys);
        List<String> objects = new ArrayList<>();
        s3.listObjectsV2Paginator(
                        b -> b.bucket(BUCKET).prefix("list/").maxKeys(4).startAfter("list/1/a"))
                .subscribe(page -> page.contents().forEach(object -> objects.add(object.key())))
                .join();
        assertThat(objects).hasSize(11).first().isEqualTo("list/1/b");
        ListObjectsV2Response none =
                s3.listObjectsV2(b -> b.bucket(BUCKET).maxKeys(0)).join();
        assertThat(none.contents()).isEmpty();
        assertThat(none.isTruncated()).isFalse();
        assertThat(s3.listObjects(b -> b.bucket(BUCKET).prefix("list/").maxKeys(5))
                        .join()
                        .contents())
                .hasSize(5);
    }

    @Test
    void anUploadOfPartsIsOneObject() {
        String id = s3.createMultipartUpload(b -> b.bucket(BUCKET).key("parts"))
                .join()
                .uploadId();
        byte[] first = bytes(5 << 20);
        byte[] last = bytes(99);
        List<CompletedPart> parts = new ArrayList<>();
        for (int number : List.of(1, 2)) {
            byte[] body = number == 1 ? first : last;
            String etag = s3.uploadPart(
                            b -> b.bucket(BUCKET).key("parts").uploadId(id).partNumber(number),
                            AsyncRequestBody.fromBytes(body))
                    .join()
                    .eTag();
            parts.add(CompletedPart.builder().partNumber(number).eTag(etag).build());
        }
        assertThat(s3.listParts(b -> b.bucket(BUCKET).key("parts").uploadId(id))
                        .join()
                        .parts())
                .hasSize(2);
        assertThat(s3.listMultipartUploads(b -> b.bucket(BUCKET)).join().uploads())
                .anySatisfy(upload -> assertThat(upload.uploadId()).isEqualTo(id));
        fails(
                400,
                "InvalidPartOrder",
                s3.completeMultipartUpload(b ->
                        b.bucket(BUCKET).key("parts").uploadId(id).multipartUpload(m -> m.parts(parts.reversed()))));
        String etag = s3.completeMultipartUpload(b -> b.bucket(BUCKET)
                        .key("parts")
                        .uploadId(id)
                        .ifNoneMatch("*")
                        .multipartUpload(m -> m.parts(parts)))
                .join()
                .eTag();
        assertThat(etag).endsWith("-2\"");
        byte[] whole = ByteBuffer.allocate(first.length + last.length)
                .put(first)
                .put(last)
                .array();
        assertThat(get("parts", null).asByteArray()).isEqualTo(whole);
        fails(
                404,
                "NoSuchUpload",
                s3.abortMultipartUpload(b -> b.bucket(BUCKET).key("parts").uploadId(id)));
    }

    @Test
    void objectsAreCopied() {
        byte[] bytes = bytes(3_000_000);
        put("copy/from ü", bytes);
        s3.copyObject(b -> b.sourceBucket(BUCKET)
                        .sourceKey("copy/from ü")
                        .destinationBucket(BUCKET)
                        .destinationKey("copy/to"))
                .join();
        assertThat(get("copy/to", null).asByteArray()).isEqualTo(bytes);
        fails(
                400,
                "InvalidRequest",
                s3.copyObject(b -> b.sourceBucket(BUCKET)
                        .sourceKey("copy/to")
                        .destinationBucket(BUCKET)
                        .destinationKey("copy/to")));
        s3.copyObject(b -> b.sourceBucket(BUCKET)
                        .sourceKey("copy/to")
                        .destinationBucket(BUCKET)
                        .destinationKey("copy/to")
                        .metadataDirective(MetadataDirective.REPLACE)
                        .metadata(Map.of("new", "1")))
                .join();
        assertThat(get("copy/to", null).response().metadata()).isEqualTo(Map.of("new", "1"));
    }

    @Test
    void manyObjectsAreDeletedAtOnceAndReservedOnesNot() {
        put("many/1", bytes(1));
        List<ObjectIdentifier> doomed = List.of(
                ObjectIdentifier.builder().key("many/1").build(),
                ObjectIdentifier.builder().key("many/absent").build(),
                ObjectIdentifier.builder().key("x/_se/catalog/log/1").build());
        DeleteObjectsResponse deleted = s3.deleteObjects(b -> b.bucket(BUCKET).delete(d -> d.objects(doomed)))
                .join();
        assertThat(deleted.deleted()).hasSize(2);
        assertThat(deleted.errors())
                .singleElement()
                .satisfies(e -> assertThat(e.code()).isEqualTo("AccessDenied"));
        DeleteObjectsResponse quiet = s3.deleteObjects(
                        b -> b.bucket(BUCKET).delete(d -> d.objects(doomed).quiet(true)))
                .join();
        assertThat(quiet.deleted()).isEmpty();
        assertThat(quiet.errors()).hasSize(1);
    }

    @Test
    void reservedKeysAreNeverWrittenAndClusterStorageIsNeverSeen() {
        for (String key : List.of("_se/x", "a/_se/x")) {
            fails(403, "AccessDenied", s3.putObject(b -> b.bucket(BUCKET).key(key), AsyncRequestBody.fromString("x")));
            fails(403, "AccessDenied", s3.deleteObject(b -> b.bucket(BUCKET).key(key)));
            fails(
                    403,
                    "AccessDenied",
                    s3.createMultipartUpload(b -> b.bucket(BUCKET).key(key)));
        }
        put("a/_sex", bytes(1));
        server.buckets()
                .bucket(BUCKET)
                .put("cluster/secret", Content.of(bytes(1)), PutOptions.PLAIN)
                .orThrow();
        fails(
                403,
                "AccessDenied",
                s3.getObject(b -> b.bucket(BUCKET).key("cluster/secret"), AsyncResponseTransformer.toBytes()));
        fails(
                403,
                "AccessDenied",
                s3.copyObject(b -> b.sourceBucket(BUCKET)
                        .sourceKey("cluster/secret")
                        .destinationBucket(BUCKET)
                        .destinationKey("out")));
        assertThat(s3.listObjectsV2(b -> b.bucket(BUCKET)).join().contents())
                .noneSatisfy(object -> assertThat(object.key()).startsWith("cluster/"));
        assertThat(s3.listObjectsV2(b -> b.bucket(BUCKET).delimiter("/")).join().commonPrefixes())
                .noneSatisfy(prefix -> assertThat(prefix.prefix()).isEqualTo("cluster/"));
    }

    @Test
    void bucketsHaveNamesAndAreEmptyWhenDeleted() {
        fails(400, "InvalidBucketName", s3.createBucket(b -> b.bucket("metrics")));
        fails(400, "InvalidBucketName", s3.createBucket(b -> b.bucket("catalogs")));
        fails(409, "BucketAlreadyOwnedByYou", s3.createBucket(b -> b.bucket(BUCKET)));
        s3.createBucket(b -> b.bucket("other")).join();
        assertThat(s3.listBuckets().join().buckets())
                .anySatisfy(b -> assertThat(b.name()).isEqualTo("other"));
        s3.headBucket(b -> b.bucket("other")).join();
        assertThat(s3.getBucketLocation(b -> b.bucket("other")).join().locationConstraintAsString())
                .isNullOrEmpty();
        s3.putObject(b -> b.bucket("other").key("k"), AsyncRequestBody.fromString("x"))
                .join();
        fails(409, "BucketNotEmpty", s3.deleteBucket(b -> b.bucket("other")));
        s3.deleteObject(b -> b.bucket("other").key("k")).join();
        s3.deleteBucket(b -> b.bucket("other")).join();
        fails(404, "", s3.headBucket(b -> b.bucket("other")));
        fails(404, "NoSuchBucket", s3.listObjectsV2(b -> b.bucket("other")));
    }

    @Test
    void whatIsNotOfferedIsSaidSo() {
        fails(501, "NotImplemented", s3.getBucketAcl(b -> b.bucket(BUCKET)));
        fails(501, "NotImplemented", s3.getObjectTagging(b -> b.bucket(BUCKET).key("x")));
    }

    @Test
    void anotherSecretDoesNotGetIn() {
        try (S3AsyncClient stranger = client("wrong")) {
            fails(403, "SignatureDoesNotMatch", stranger.listObjectsV2(b -> b.bucket(BUCKET)));
            fails(
                    403,
                    "SignatureDoesNotMatch",
                    stranger.putObject(b -> b.bucket(BUCKET).key("x"), AsyncRequestBody.fromBytes(bytes(3_000_000))));
        }
    }
}
