package io.storageengine.store;

import static io.storageengine.store.Expect.fails;
import static io.storageengine.store.Expect.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.storageengine.core.Failure;
import io.storageengine.core.Failure.Kind;
import io.storageengine.core.FailureException;
import io.storageengine.core.store.ByteRange;
import io.storageengine.core.store.Content;
import io.storageengine.core.store.ListRequest;
import io.storageengine.core.store.ObjectBody;
import io.storageengine.core.store.ObjectInfo;
import io.storageengine.core.store.PutOptions;
import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

interface ObjectContract extends ContractSubject {
    @Test
    default void whatIsPutIsReadBack() throws IOException {
        byte[] bytes = Expect.noise(300_000, 1);
        PutOptions options = new PutOptions(
                PutOptions.PLAIN.precondition(), "text/csv", Map.of("one", "1", "with-dash", "some text = x"));
        ObjectInfo put = store().put("a/b", Content.of(bytes), options).orThrow();
        assertThat(put.sizeBytes()).isEqualTo(300_000);
        ObjectInfo head = store().head("a/b").orThrow();
        assertThat(head.key()).isEqualTo("a/b");
        assertThat(head.sizeBytes()).isEqualTo(300_000);
        assertThat(head.etag()).isEqualTo(put.etag()).doesNotContain("\"");
        assertThat(head.contentType()).isEqualTo("text/csv");
        assertThat(head.metadata()).containsExactlyInAnyOrderEntriesOf(options.metadata());
        try (ObjectBody body = store().get("a/b", ByteRange.ALL).orThrow()) {
            assertThat(body.info()).isEqualTo(head);
            assertThat(body.first()).isZero();
            assertThat(body.length()).isEqualTo(300_000);
            assertThat(body.stream().readAllBytes()).isEqualTo(bytes);
        }
        assertThat(Expect.bytes(store().read("a/b").orThrow())).isEqualTo(bytes);
    }

    @Test
    default void anEmptyObjectIsAnObject() throws IOException {
        store().put("empty", Content.of(new byte[0]), PutOptions.IF_ABSENT).orThrow();
        store().put("empty-stream", Expect.stream(0, new byte[0]), PutOptions.IF_ABSENT)
                .orThrow();
        for (String key : List.of("empty", "empty-stream")) {
            assertThat(store().head(key).orThrow().sizeBytes()).isZero();
            assertThat(store().read(key).orThrow().remaining()).isZero();
            try (ObjectBody body = store().get(key, ByteRange.ALL).orThrow()) {
                assertThat(body.stream().read()).isEqualTo(-1);
            }
            fails(store().get(key, new ByteRange.Between(0, 9)), Kind.INVALID, "InvalidRange");
        }
        assertThat(Expect.keys(store(), "")).containsExactly("empty", "empty-stream");
    }

    @Test
    default void anAbsentObjectIsNoSuchKey() {
        fails(store().head("none"), Kind.NOT_FOUND, "NoSuchKey");
        fails(store().get("none", ByteRange.ALL), Kind.NOT_FOUND, "NoSuchKey");
        fails(store().get("none", new ByteRange.Suffix(1)), Kind.NOT_FOUND, "NoSuchKey");
        fails(store().read("none"), Kind.NOT_FOUND, "NoSuchKey");
        store().delete("none").orThrow();
    }

    @Test
    default void aPutReplacesAllOfTheOldObject() {
        PutOptions old = new PutOptions(PutOptions.PLAIN.precondition(), "text/csv", Map.of("old", "1"));
        store().put("k", text("a long first body"), old).orThrow();
        store().put("k", text("short"), PutOptions.PLAIN).orThrow();
        assertThat(Expect.read(store(), "k")).isEqualTo("short");
        assertThat(store().head("k").orThrow().metadata()).isEmpty();
        assertThat(store().head("k").orThrow().contentType()).isEqualTo("application/octet-stream");
    }

    @Test
    default void contentMayComeInSeveralBuffersOrAsAStream() {
        byte[] bytes = Expect.noise(3_000_000, 2);
        List<ByteBuffer> parts = new ArrayList<>();
        for (int at = 0; at < bytes.length; at += 700_001) {
            parts.add(ByteBuffer.wrap(bytes, at, Math.min(700_001, bytes.length - at)));
        }
        store().put("parts", new Content.Memory(parts), PutOptions.PLAIN).orThrow();
        store().put("stream", Expect.stream(bytes.length, bytes), PutOptions.PLAIN)
                .orThrow();
        assertThat(Expect.bytes(store().read("parts").orThrow())).isEqualTo(bytes);
        assertThat(Expect.bytes(store().read("stream").orThrow())).isEqualTo(bytes);
        assertThat(parts).allSatisfy(part -> assertThat(part.hasRemaining()).isTrue());
    }

    @Test
    default void aBodyThatIsNotAsLongAsAnnouncedIsRefused() {
        byte[] bytes = Expect.noise(200_000, 3);
        fails(store().put("k", Expect.stream(200_001, bytes), PutOptions.PLAIN), Kind.INVALID, "IncompleteBody");
        fails(store().put("k", Expect.stream(199_999, bytes), PutOptions.PLAIN), Kind.INVALID, "IncompleteBody");
        fails(store().put("k", Expect.stream(0, bytes), PutOptions.PLAIN), Kind.INVALID, "IncompleteBody");
        fails(store().head("k"), Kind.NOT_FOUND, "NoSuchKey");
        assertThat(Expect.keys(store(), "")).isEmpty();
    }

    @Test
    default void aBodyThatItsSourceRefusesAtTheEndIsNeverSeen() {
        Failure badDigest = new Failure(Kind.INVALID, "BadDigest", "the body is not what was signed");
        Content content = new Content.Stream(100_000, refusedAtItsEnd(badDigest));
        fails(store().put("k", content, PutOptions.PLAIN), Kind.INVALID, "BadDigest");
        fails(store().head("k"), Kind.NOT_FOUND, "NoSuchKey");
    }

    private static InputStream refusedAtItsEnd(Failure failure) {
        return new FilterInputStream(new ByteArrayInputStream(new byte[100_000])) {
            @Override
            public int read() throws IOException {
                return orRefuse(super.read());
            }

            @Override
            public int read(byte[] target, int offset, int length) throws IOException {
                return orRefuse(super.read(target, offset, length));
            }

            private int orRefuse(int answer) throws IOException {
                if (answer < 0) throw new IOException(new FailureException(failure));
                return answer;
            }
        };
    }

    @Test
    default void aRangeGivesExactlyItsBytes() throws IOException {
        byte[] bytes = Expect.noise(1_000, 4);
        store().put("k", Content.of(bytes), PutOptions.PLAIN).orThrow();
        range(bytes, new ByteRange.From(0), 0, 1_000);
        range(bytes, new ByteRange.From(999), 999, 1);
        range(bytes, new ByteRange.Between(0, 0), 0, 1);
        range(bytes, new ByteRange.Between(10, 19), 10, 10);
        range(bytes, new ByteRange.Between(990, 5_000), 990, 10);
        range(bytes, new ByteRange.Between(0, Long.MAX_VALUE - 1), 0, 1_000);
        range(bytes, new ByteRange.Suffix(1), 999, 1);
        range(bytes, new ByteRange.Suffix(1_000), 0, 1_000);
        range(bytes, new ByteRange.Suffix(5_000), 0, 1_000);
    }

    private void range(byte[] bytes, ByteRange range, int first, int length) throws IOException {
        try (ObjectBody body = store().get("k", range).orThrow()) {
            assertThat(body.first()).as(range.toString()).isEqualTo(first);
            assertThat(body.length()).as(range.toString()).isEqualTo(length);
            assertThat(body.info().sizeBytes()).as(range.toString()).isEqualTo(bytes.length);
            assertThat(ByteBuffer.wrap(body.stream().readAllBytes()))
                    .as(range.toString())
                    .isEqualTo(ByteBuffer.wrap(bytes, first, length));
        }
    }

    @Test
    default void aRangeOutsideTheObjectIsRefused() {
        store().put("k", Content.of(Expect.noise(1_000, 5)), PutOptions.PLAIN).orThrow();
        fails(store().get("k", new ByteRange.From(1_000)), Kind.INVALID, "InvalidRange");
        fails(store().get("k", new ByteRange.Between(1_000, 1_001)), Kind.INVALID, "InvalidRange");
        fails(store().get("k", new ByteRange.Between(5_000, 6_000)), Kind.INVALID, "InvalidRange");
    }

    @Test
    default void anOpenBodyIsTheOldObjectWholeWhateverHappensToTheKey() throws IOException {
        byte[] bytes = Expect.noise(50_000, 6);
        store().put("k", Content.of(bytes), PutOptions.PLAIN).orThrow();
        try (ObjectBody body = store().get("k", ByteRange.ALL).orThrow()) {
            store().put("k", text("other"), PutOptions.PLAIN).orThrow();
            store().delete("k").orThrow();
            assertThat(body.stream().readAllBytes()).isEqualTo(bytes);
        }
    }

    @Test
    default void deletingThousandsOfKeysAtOnceDeletesAllAndCountsTheAbsentAsDeleted() {
        List<String> keys = new ArrayList<>();
        for (int i = 0; i < 2_500; i++) keys.add("d/" + i);
        Expect.putAll(store(), keys.subList(0, 1_200));
        store().put("kept", text("x"), PutOptions.PLAIN).orThrow();
        assertThat(store().deleteAll(keys).orThrow()).isEmpty();
        assertThat(store().deleteAll(List.of()).orThrow()).isEmpty();
        assertThat(Expect.keys(store(), "")).containsExactly("kept");
    }

    @Test
    default void theTagIsTheMd5WhereThatIsAskedFor() {
        ObjectInfo put = store().put("k", text("hello"), PutOptions.PLAIN.with(PutOptions.Etag.MD5))
                .orThrow();
        assertThat(put.etag()).isEqualTo("5d41402abc4b2a76b9719d911017c592");
        assertThat(store().head("k").orThrow().etag()).isEqualTo(put.etag());
    }

    @Test
    default void aListingKnowsWhatHeadKnows() {
        store().put("k", text("hello"), PutOptions.PLAIN).orThrow();
        ObjectInfo head = store().head("k").orThrow();
        ObjectInfo listed = store().list(ListRequest.of("")).orThrow().objects().getFirst();
        assertThat(listed.sizeBytes()).isEqualTo(5);
        assertThat(listed.etag()).isEqualTo(head.etag());
        assertThat(listed.lastModified().getEpochSecond())
                .isEqualTo(head.lastModified().getEpochSecond());
    }

    @Test
    default void readingABodyToItsEndIsSafeToRepeat() throws IOException {
        store().put("k", text("hello"), PutOptions.PLAIN).orThrow();
        try (ObjectBody body = store().get("k", ByteRange.ALL).orThrow()) {
            body.stream().readAllBytes();
            assertThat(body.stream().read()).isEqualTo(-1);
            assertThat(body.stream().read(new byte[3])).isEqualTo(-1);
        }
        assertThatThrownBy(() -> new ByteRange.Between(3, 2)).isInstanceOf(IllegalArgumentException.class);
    }
}
