package io.storageengine.store;

import static io.storageengine.store.Expect.fails;
import static io.storageengine.store.Expect.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.storageengine.core.Failure.Kind;
import io.storageengine.core.store.BucketInfo;
import io.storageengine.core.store.ByteRange;
import io.storageengine.core.store.ListRequest;
import io.storageengine.core.store.PutOptions;
import java.util.List;
import org.junit.jupiter.api.Test;

interface BucketContract extends ContractSubject {
    @Test
    default void aBucketLivesFromCreateToDelete() {
        fails(buckets().head("some-bucket"), Kind.NOT_FOUND, "NoSuchBucket");
        buckets().create("some-bucket").orThrow();
        buckets().head("some-bucket").orThrow();
        assertThat(buckets().create("some-bucket").failedWith(Kind.EXISTS)).isTrue();
        assertThat(buckets().list().orThrow()).extracting(BucketInfo::name).contains("some-bucket");
        buckets().delete("some-bucket").orThrow();
        fails(buckets().head("some-bucket"), Kind.NOT_FOUND, "NoSuchBucket");
        fails(buckets().delete("some-bucket"), Kind.NOT_FOUND, "NoSuchBucket");
    }

    @Test
    default void aBucketWithObjectsIsNotDeleted() {
        buckets().create("full-bucket").orThrow();
        var store = buckets().bucket("full-bucket");
        store.put("a/b", text("x"), PutOptions.PLAIN).orThrow();
        fails(buckets().delete("full-bucket"), Kind.CONFLICT, "BucketNotEmpty");
        store.delete("a/b").orThrow();
        buckets().delete("full-bucket").orThrow();
    }

    @Test
    default void aBucketThatIsNotThereHasNoObjects() {
        var store = buckets().bucket("no-such-bucket");
        fails(store.get("a", ByteRange.ALL), Kind.NOT_FOUND, "NoSuchBucket");
        fails(store.read("a"), Kind.NOT_FOUND, "NoSuchBucket");
        fails(store.put("a", text("x"), PutOptions.PLAIN), Kind.NOT_FOUND, "NoSuchBucket");
        fails(store.put("a", text("x"), PutOptions.IF_ABSENT), Kind.NOT_FOUND, "NoSuchBucket");
        fails(store.list(ListRequest.of("")), Kind.NOT_FOUND, "NoSuchBucket");
        fails(store.deleteAll(List.of("a")), Kind.NOT_FOUND, "NoSuchBucket");
        fails(store.createUpload("a", PutOptions.PLAIN), Kind.NOT_FOUND, "NoSuchBucket");
        assertThat(store.head("a").failedWith(Kind.NOT_FOUND)).isTrue();
    }

    @Test
    default void namesThatS3DoesNotAllowAreRefused() {
        for (String name : List.of("ab", "-ab", "AB-cd", "a..b", "192.168.0.1", "..", "a/b", "a_b", "x".repeat(64))) {
            fails(buckets().create(name), Kind.INVALID, "InvalidBucketName");
            assertThat(buckets().bucket(name).list(ListRequest.of("")).isOk()).isFalse();
        }
    }

    @Test
    default void equalKeysInTwoBucketsAreTwoObjects() {
        buckets().create("first-bucket").orThrow();
        buckets().create("second-bucket").orThrow();
        buckets().bucket("first-bucket").put("k", text("1"), PutOptions.PLAIN).orThrow();
        buckets().bucket("second-bucket").put("k", text("2"), PutOptions.PLAIN).orThrow();
        assertThat(Expect.read(buckets().bucket("first-bucket"), "k")).isEqualTo("1");
        assertThat(Expect.read(buckets().bucket("second-bucket"), "k")).isEqualTo("2");
    }
}
