package io.storageengine.store.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.storageengine.core.Failure;
import io.storageengine.core.Failure.Kind;
import io.storageengine.core.Ids;
import io.storageengine.core.Outcome;
import io.storageengine.core.store.ByteRange;
import io.storageengine.core.store.Content;
import io.storageengine.core.store.ListRequest;
import io.storageengine.core.store.ObjectBody;
import io.storageengine.core.store.ObjectStore;
import io.storageengine.core.store.Precondition;
import io.storageengine.core.store.PutOptions;
import io.storageengine.core.store.UploadedPart;
import io.storageengine.store.Expect;
import io.storageengine.store.SystemClock;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalDiskTest {
    private static final Content BODY = Content.of(new byte[] {1, 2, 3, 4});
    private @TempDir Path data;
    private LocalBuckets buckets;

    @BeforeEach
    void open() {
        buckets = opened().orThrow();
    }

    @AfterEach
    void close() {
        buckets.close();
    }

    private Outcome<LocalBuckets> opened() {
        return LocalBuckets.open(data, new SystemClock(), new Ids(Expect.random(1)));
    }

    private void reopen() {
        buckets.close();
        open();
    }

    @Test
    void aSecondStoreOverOneDirectoryIsRefusedAndToldWhoHasIt() {
        assertThat(opened()).isInstanceOfSatisfying(Outcome.Failed.class, failed -> {
            Failure failure = failed.failure();
            assertThat(failure.kind()).isEqualTo(Kind.CONFLICT);
            assertThat(failure.message())
                    .contains(
                            data.toString(),
                            Long.toString(ProcessHandle.current().pid()),
                            "stop that process");
        });
        buckets.close();
        buckets = opened().orThrow();
    }

    @Test
    void anotherProcessIsRefusedAlsoAfterAnAttemptFromHere() throws IOException, InterruptedException {
        assertThat(opened().isOk()).isFalse();
        Process other = KillTest.victim(data, data.resolve("log"), 1);
        assertThat(other.waitFor()).isNotZero();
        assertThat(Files.readString(data.resolve("log")))
                .contains("is in use by process " + ProcessHandle.current().pid());
    }

    @Test
    void aBucketDeletedWhileAnObjectIsWrittenStaysDeleted() {
        buckets.create("bucket-1").orThrow();
        ObjectStore store = buckets.bucket("bucket-1");
        PutOptions deleting = PutOptions.PLAIN.withLateMetadata(() -> {
            buckets.delete("bucket-1").orThrow();
            return Map.of();
        });
        assertThat(store.put("a/b", BODY, deleting))
                .isInstanceOfSatisfying(
                        Outcome.Failed.class,
                        failed -> assertThat(failed.failure().code()).isEqualTo("NoSuchBucket"));
        assertThat(buckets.list().orThrow()).isEmpty();
    }

    @Test
    void everythingIsThereAfterAReopen() throws IOException {
        buckets.create("bucket-1").orThrow();
        ObjectStore store = buckets.bucket("bucket-1");
        PutOptions options = new PutOptions(Precondition.NONE, "text/csv", Map.of("a", "b"))
                .withLateMetadata(() -> Map.of("late", "c"));
        store.put("x/y", BODY, options).orThrow();
        var before = store.head("x/y").orThrow();
        String id = store.createUpload("big", PutOptions.PLAIN).orThrow();
        UploadedPart part = store.uploadPart("big", id, 1, BODY).orThrow();
        Files.writeString(data.resolve("temp").resolve("left"), "half");
        reopen();
        assertThat(data.resolve("temp")).isEmptyDirectory();
        ObjectStore after = buckets.bucket("bucket-1");
        assertThat(after.head("x/y").orThrow()).isEqualTo(before);
        assertThat(before.metadata()).isEqualTo(Map.of("a", "b", "late", "c"));
        assertThat(after.listParts("big", id, 0, 10).orThrow()).containsExactly(part);
        after.completeUpload("big", id, List.of(part), Precondition.NONE).orThrow();
        assertThat(buckets.list().orThrow()).hasSize(1);
    }

    @Test
    void deletingTheLastObjectOfADirectoryRemovesTheDirectory() throws IOException {
        ObjectStore store = buckets.cluster();
        store.put("a/b/c/d", BODY, PutOptions.PLAIN).orThrow();
        store.put("a/e", BODY, PutOptions.PLAIN).orThrow();
        store.delete("a/b/c/d").orThrow();
        assertThat(Disk.entries(data.resolve("cluster/objects/a+")))
                .containsExactly(data.resolve("cluster/objects/a+/e="));
        store.delete("a/e").orThrow();
        assertThat(data.resolve("cluster/objects")).isEmptyDirectory();
    }

    @Test
    void writersAndDeletersOfOneDirectoryNeverFail() {
        ObjectStore store = buckets.cluster();
        List<Callable<Boolean>> threads = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            String key = "a/b/" + i;
            threads.add(() -> {
                for (int round = 0; round < 40; round++) {
                    store.put(key, BODY, PutOptions.IF_ABSENT).orThrow();
                    store.delete(key).orThrow();
                }
                return true;
            });
        }
        assertThat(Expect.atOnce(threads)).doesNotContain(false);
        assertThat(data.resolve("cluster/objects")).isEmptyDirectory();
    }

    /// What a kill leaves on disk is what another process could see at that moment.
    @Test
    void nobodyEverSeesAHalfObject() {
        ObjectStore store = buckets.cluster();
        byte[] body = new byte[3_000_000];
        AtomicBoolean isOver = new AtomicBoolean();
        Callable<Integer> writer = () -> {
            for (int i = 0; i < 25; i++) {
                store.put("new/" + i, Content.of(body), PutOptions.IF_ABSENT).orThrow();
                store.put("replaced", Content.of(body), PutOptions.PLAIN).orThrow();
            }
            isOver.set(true);
            return 0;
        };
        Callable<Integer> reader = () -> {
            int seen = 0;
            while (!isOver.get()) {
                for (int i = 0; i < 25; i++) seen += seen(store.head("new/" + i));
                seen += seen(store.read("replaced"));
            }
            return seen;
        };
        assertThat(Expect.atOnce(List.of(writer, reader)).getLast()).isPositive();
    }

    private static int seen(Outcome<?> answer) {
        if (!answer.isOk())
            assertThat(answer.failedWith(Kind.NOT_FOUND)).as(answer.toString()).isTrue();
        return answer.isOk() ? 1 : 0;
    }

    @Test
    void noNameOnDiskIsLongOrDependsOnCase() throws IOException {
        ObjectStore store = buckets.cluster();
        for (String key : List.of("\u00e9".repeat(512), "X".repeat(1024), "CaSe/cAsE", "..", "a/../b", "con")) {
            store.put(key, BODY, PutOptions.PLAIN).orThrow();
        }
        try (Stream<Path> paths = Files.walk(data)) {
            assertThat(paths).allSatisfy(path -> {
                assertThat(path.getFileName().toString().length()).isLessThanOrEqualTo(210);
                String below = data.relativize(path).toString();
                assertThat(below).isEqualTo(below.toLowerCase(Locale.ROOT));
            });
        }
    }

    @Test
    void aFileThatLostItsEndIsCorruptNotShort() throws IOException {
        ObjectStore store = buckets.cluster();
        store.put("k", Content.of(new byte[10_000]), PutOptions.PLAIN).orThrow();
        Path file = data.resolve("cluster/objects/k=");
        for (long size : new long[] {0, 10, 9_999, Files.size(file) - 1}) {
            store.put("k", Content.of(new byte[10_000]), PutOptions.PLAIN).orThrow();
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                channel.truncate(size);
            }
            assertThat(store.head("k").failedWith(Kind.CORRUPT)).isTrue();
            assertThat(store.get("k", ByteRange.ALL).failedWith(Kind.CORRUPT)).isTrue();
        }
    }

    @Test
    void aFlippedByteOfTheBodyIsNoticedAtItsEnd() throws IOException {
        ObjectStore store = buckets.cluster();
        store.put("k", Content.of(new byte[10_000]), PutOptions.PLAIN).orThrow();
        try (FileChannel channel = FileChannel.open(data.resolve("cluster/objects/k="), StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.wrap(new byte[] {1}), 5_000);
        }
        assertThat(store.read("k").failedWith(Kind.CORRUPT)).isTrue();
        try (ObjectBody body = store.get("k", ByteRange.ALL).orThrow()) {
            assertThatThrownBy(() -> body.stream().readAllBytes()).hasMessageContaining("checksum");
        }
    }

    @Test
    void foreignFilesAreNoObjects() throws IOException {
        buckets.cluster().put("a/b", BODY, PutOptions.PLAIN).orThrow();
        Files.writeString(data.resolve("cluster/objects/.DS_Store"), "x");
        Files.writeString(data.resolve("cluster/objects/a+/UPPER="), "x");
        assertThat(buckets.cluster().list(ListRequest.of("")).orThrow().objects())
                .hasSize(1);
    }

    @Test
    void aDirectoryThatCannotBeUsedIsSaidSo() throws IOException {
        Path file = Files.writeString(data.resolve("file"), "x");
        assertThat(LocalBuckets.open(file, new SystemClock(), new Ids(Expect.random(1))))
                .isInstanceOfSatisfying(
                        Outcome.Failed.class,
                        failed -> assertThat(failed.failure().message()).contains(file.toString(), "cannot be used"));
    }
}
