package io.storageengine.store;

import static io.storageengine.store.Expect.fails;
import static io.storageengine.store.Expect.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.storageengine.core.Failure.Kind;
import io.storageengine.core.Outcome;
import io.storageengine.core.store.Content;
import io.storageengine.core.store.ObjectInfo;
import io.storageengine.core.store.Precondition;
import io.storageengine.core.store.PutOptions;
import io.storageengine.core.store.UploadInfo;
import io.storageengine.core.store.UploadedPart;
import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

interface UploadContract extends ContractSubject {
    int FULL = 5 << 20;
    PutOptions MD5 = PutOptions.PLAIN.with(PutOptions.Etag.MD5);

    private String begin(String key) {
        return store().createUpload(key, MD5).orThrow();
    }

    private UploadedPart part(String key, String id, int number, byte[] bytes) {
        return store().uploadPart(key, id, number, Content.of(bytes)).orThrow();
    }

    @Test
    default void partsMakeOneObject() {
        byte[] first = Expect.noise(FULL, 11);
        byte[] second = Expect.noise(FULL + 1, 12);
        byte[] last = Expect.noise(3, 13);
        PutOptions options = new PutOptions(Precondition.NONE, "text/csv", Map.of("a", "b")).with(PutOptions.Etag.MD5);
        String id = store().createUpload("big/one", options).orThrow();
        UploadedPart three = part("big/one", id, 30, last);
        UploadedPart one = part("big/one", id, 1, first);
        UploadedPart two = store().uploadPart("big/one", id, 2, Expect.stream(second.length, second))
                .orThrow();
        fails(store().head("big/one"), Kind.NOT_FOUND, "NoSuchKey");
        List<UploadedPart> parts = List.of(one, two, three);
        ObjectInfo whole =
                store().completeUpload("big/one", id, parts, Precondition.NONE).orThrow();
        assertThat(whole.etag()).isEqualTo(PartRules.md5Etag(parts));
        assertThat(whole.sizeBytes()).isEqualTo(2L * FULL + 4);
        ObjectInfo head = store().head("big/one").orThrow();
        assertThat(head.etag()).isEqualTo(whole.etag());
        assertThat(head.contentType()).isEqualTo("text/csv");
        assertThat(head.metadata()).containsExactlyEntriesOf(Map.of("a", "b"));
        ByteArrayOutputStream expected = new ByteArrayOutputStream();
        expected.writeBytes(first);
        expected.writeBytes(second);
        expected.writeBytes(last);
        assertThat(Expect.bytes(store().read("big/one").orThrow())).isEqualTo(expected.toByteArray());
        assertThat(store().listUploads("", "", "", 10).orThrow()).isEmpty();
    }

    @Test
    default void aPartThatIsUploadedAgainReplacesTheFirst() {
        String id = begin("k");
        part("k", id, 1, Expect.utf8("old"));
        UploadedPart fresh = part("k", id, 1, Expect.utf8("fresh"));
        store().completeUpload("k", id, List.of(fresh), Precondition.NONE).orThrow();
        assertThat(Expect.read(store(), "k")).isEqualTo("fresh");
    }

    @Test
    default void partsThatAreNotNamedAreLeftOut() {
        String id = begin("k");
        UploadedPart one = part("k", id, 1, Expect.utf8("one"));
        part("k", id, 2, Expect.utf8("two"));
        store().completeUpload("k", id, List.of(one), Precondition.NONE).orThrow();
        assertThat(Expect.read(store(), "k")).isEqualTo("one");
    }

    @Test
    default void wrongPartsAreRefusedAndTheUploadLives() {
        String id = begin("k");
        UploadedPart one = part("k", id, 1, Expect.noise(FULL, 14));
        UploadedPart two = part("k", id, 2, Expect.utf8("two"));
        UploadedPart three = part("k", id, 3, Expect.utf8("three"));
        UploadedPart other = new UploadedPart(1, two.etag(), one.sizeBytes(), one.lastModified());
        UploadedPart absent = new UploadedPart(9, two.etag(), 3, one.lastModified());
        fails(complete(id, List.of(two, one)), Kind.INVALID, "InvalidPartOrder");
        fails(complete(id, List.of(other)), Kind.INVALID, "InvalidPart");
        fails(complete(id, List.of(one, absent)), Kind.INVALID, "InvalidPart");
        fails(complete(id, List.of(one, two, three)), Kind.INVALID, "EntityTooSmall");
        fails(store().head("k"), Kind.NOT_FOUND, "NoSuchKey");
        complete(id, List.of(one, three)).orThrow();
        assertThat(store().head("k").orThrow().sizeBytes()).isEqualTo(FULL + 5);
    }

    private Outcome<ObjectInfo> complete(String id, List<UploadedPart> parts) {
        return store().completeUpload("k", id, parts, Precondition.NONE);
    }

    @Test
    default void anUploadThatIsNotThereIsNoSuchUpload() {
        String id = begin("k");
        UploadedPart one = part("k", id, 1, Expect.utf8("one"));
        store().abortUpload("k", id).orThrow();
        for (String gone : List.of(id, "0".repeat(32), "no-such-upload")) {
            if (tellsUnknownUploads()) {
                fails(store().uploadPart("k", gone, 1, text("x")), Kind.NOT_FOUND, "NoSuchUpload");
                fails(complete(gone, List.of(one)), Kind.NOT_FOUND, "NoSuchUpload");
            }
            fails(store().abortUpload("k", gone), Kind.NOT_FOUND, "NoSuchUpload");
            fails(store().listParts("k", gone, 0, 10), Kind.NOT_FOUND, "NoSuchUpload");
        }
        assertThat(Expect.keys(store(), "")).isEmpty();
    }

    @Test
    default void aPartThatDoesNotComeWholeIsNotStored() {
        String id = begin("k");
        fails(store().uploadPart("k", id, 1, Expect.stream(9, new byte[8])), Kind.INVALID, "IncompleteBody");
        assertThat(store().listParts("k", id, 0, 10).orThrow()).isEmpty();
    }

    @Test
    default void partsAreListedInOrderAndInPages() {
        String id = begin("k");
        for (int number : new int[] {7, 1, 10_000, 3}) part("k", id, number, Expect.utf8("p" + number));
        List<UploadedPart> all = store().listParts("k", id, 0, 10).orThrow();
        assertThat(all).extracting(UploadedPart::number).containsExactly(1, 3, 7, 10_000);
        assertThat(all).extracting(UploadedPart::sizeBytes).containsExactly(2L, 2L, 2L, 6L);
        assertThat(store().listParts("k", id, 1, 2).orThrow())
                .extracting(UploadedPart::number)
                .containsExactly(3, 7);
        assertThat(store().listParts("k", id, 10_000, 2).orThrow()).isEmpty();
    }

    @Test
    default void uploadsInProgressAreListedByKey() {
        String b = begin("u/b");
        String a = begin("u/a");
        begin("v/c");
        List<UploadInfo> uploads = store().listUploads("u/", "", "", 10).orThrow();
        assertThat(uploads).extracting(UploadInfo::key).containsExactly("u/a", "u/b");
        assertThat(uploads).extracting(UploadInfo::uploadId).containsExactly(a, b);
        assertThat(store().listUploads("u/", "u/a", a, 10).orThrow())
                .extracting(UploadInfo::uploadId)
                .containsExactly(b);
    }

    @Test
    default void completionKeepsItsPrecondition() {
        store().put("k", text("present"), PutOptions.PLAIN).orThrow();
        String id = begin("k");
        List<UploadedPart> parts = List.of(part("k", id, 1, Expect.utf8("upload")));
        fails(store().completeUpload("k", id, parts, new Precondition.IfAbsent()), Kind.CONFLICT, "PreconditionFailed");
        assertThat(Expect.read(store(), "k")).isEqualTo("present");
        store().delete("k").orThrow();
        store().completeUpload("k", id, parts, new Precondition.IfAbsent()).orThrow();
        assertThat(Expect.read(store(), "k")).isEqualTo("upload");
    }
}
