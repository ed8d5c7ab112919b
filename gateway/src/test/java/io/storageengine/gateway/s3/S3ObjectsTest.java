package io.storageengine.gateway.s3;

import static org.assertj.core.api.Assertions.assertThat;

import io.storageengine.gateway.auth.Hashes;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.core.ResponseBytes;
import software.amazon.awssdk.core.async.AsyncRequestBody;
import software.amazon.awssdk.core.async.AsyncResponseTransformer;
import software.amazon.awssdk.services.s3.model.ChecksumAlgorithm;
import software.amazon.awssdk.services.s3.model.ChecksumMode;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.HeadObjectResponse;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Response;
import software.amazon.awssdk.services.s3.model.MetadataDirective;
import software.amazon.awssdk.services.s3.model.PutObjectResponse;

/// Objects: bytes, keys, metadata, checksums, ranges, conditions, copies.
class S3ObjectsTest extends S3Tests {
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 65_535, 65_536, 300_000, 12_345_678})
    void whatIsPutIsGot(int length) {
        byte[] bytes = bytes(length);
        PutObjectResponse put = put("sizes/" + length, bytes);
        String md5 = HexFormat.of().formatHex(Hashes.digest("MD5").digest(bytes));
        assertThat(put.eTag()).isEqualTo("\"" + md5 + "\"");
        ResponseBytes<GetObjectResponse> got = get("sizes/" + length);
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
        assertThat(get("keys/" + key).asByteArray()).isEqualTo(bytes);
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
        String huge = "9".repeat(40);
        assertThat(get("range", "bytes=990-" + huge).response().contentRange()).isEqualTo("bytes 990-999/1000");
        assertThat(get("range", "bytes=-" + huge).response().contentRange()).isEqualTo("bytes 0-999/1000");
        assertThat(get("range", "bytes=000000000000000000000010-19").asByteArray())
                .isEqualTo(Arrays.copyOfRange(bytes, 10, 20));
        for (String beyond : new String[] {"bytes=" + huge + "-", "bytes=" + huge + "-" + huge + "9"})
            fails(
                    416,
                    "InvalidRange",
                    s3.getObject(b -> b.bucket(BUCKET).key("range").range(beyond), AsyncResponseTransformer.toBytes()));
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
    void objectsAreCopied() {
        byte[] bytes = bytes(3_000_000);
        put("copy/from ü", bytes);
        s3.copyObject(b -> b.sourceBucket(BUCKET)
                        .sourceKey("copy/from ü")
                        .destinationBucket(BUCKET)
                        .destinationKey("copy/to"))
                .join();
        assertThat(get("copy/to").asByteArray()).isEqualTo(bytes);
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
        assertThat(get("copy/to").response().metadata()).isEqualTo(Map.of("new", "1"));
    }
}
