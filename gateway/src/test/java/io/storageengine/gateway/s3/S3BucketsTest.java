package io.storageengine.gateway.s3;

import static org.assertj.core.api.Assertions.assertThat;

import io.storageengine.core.store.Content;
import io.storageengine.core.store.PutOptions;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.async.AsyncRequestBody;
import software.amazon.awssdk.core.async.AsyncResponseTransformer;
import software.amazon.awssdk.services.s3.S3AsyncClient;
import software.amazon.awssdk.services.s3.model.CompletedPart;
import software.amazon.awssdk.services.s3.model.DeleteObjectsResponse;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Response;
import software.amazon.awssdk.services.s3.model.ObjectIdentifier;

/// Buckets, listings, uploads of parts, deletions, and who and what is kept out.
class S3BucketsTest extends S3Tests {
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
        assertThat(get("parts").asByteArray()).isEqualTo(whole);
        fails(
                404,
                "NoSuchUpload",
                s3.abortMultipartUpload(b -> b.bucket(BUCKET).key("parts").uploadId(id)));
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
        for (String key : List.of("_se/x", "a/_se/x", "_se", "a/_se", "_se/")) {
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
