package io.storageengine.store;

import static io.storageengine.store.Expect.fails;
import static io.storageengine.store.Expect.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.storageengine.core.Failure.Kind;
import io.storageengine.core.store.ByteRange;
import io.storageengine.core.store.PutOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

interface KeyContract extends ContractSubject {
    List<String> ODD_KEYS = List.of(
            "a",
            "a/b",
            "a/",
            "a//b",
            "a//",
            "a!",
            "a/b/c",
            "a0",
            "A",
            "a/B",
            "/",
            "//",
            "/a",
            "///x",
            ".",
            "..",
            "./a",
            "../a",
            "a/./b",
            "a/../b",
            "a/..",
            "...",
            ".hidden",
            "lock",
            "temp",
            "objects",
            "with space",
            " lead",
            "trail ",
            "tab\there",
            "line\nbreak",
            "bell\u0007",
            "del\u007f",
            "back\\slash",
            "quote\"'",
            "per%cent",
            "%2F",
            "%",
            "plus+",
            "equal=",
            "a=",
            "a+",
            "a+/b",
            "a,b",
            "tilde~",
            "q?x=1&y=2",
            "hash#",
            "<xml>&amp;",
            "semi;colon",
            "co:lon",
            "star*",
            "pipe|",
            "\u00e9",
            "e\u0301",
            "\u2028",
            "\ufffd",
            "\ue000",
            "\ud83d\ude00",
            "\ud83d\ude00/x",
            "\u65e5\u672c/\u8a9e",
            "CON",
            "nul.txt",
            "x".repeat(199),
            "x".repeat(200),
            "x".repeat(201),
            "x".repeat(255),
            "x".repeat(1024),
            "x".repeat(200) + "/y",
            "x".repeat(200) + "!",
            "x".repeat(201) + "/y",
            "x".repeat(400),
            "x".repeat(400) + "/",
            "\u00e9".repeat(66),
            "\u00e9".repeat(67),
            "\u00e9".repeat(512),
            "ab/".repeat(20),
            "X/".repeat(20),
            "../".repeat(20));

    /// Keys that this store's server is known to get wrong.
    default boolean takes(String key) {
        return !key.isEmpty();
    }

    private List<String> oddKeys() {
        return ODD_KEYS.stream().filter(this::takes).toList();
    }

    @Test
    default void everyKeyThatS3AllowsIsAnObjectOfItsOwn() {
        List<String> keys = oddKeys();
        List<String> refused = keys.stream()
                .filter(key ->
                        !store().put(key, text(body(key)), PutOptions.IF_ABSENT).isOk())
                .toList();
        assertThat(refused).isEmpty();
        for (String key : keys) assertThat(Expect.read(store(), key)).as(key).isEqualTo(body(key));
        assertThat(Expect.keys(store(), ""))
                .isEqualTo(keys.stream().sorted(Expect.BYTE_ORDER).toList());
    }

    @Test
    default void deletingAnOddKeyLeavesTheOthers() {
        List<String> left = new ArrayList<>(oddKeys());
        for (String key : left)
            store().put(key, text(body(key)), PutOptions.PLAIN).orThrow();
        while (!left.isEmpty()) {
            String key = left.remove(left.size() / 2);
            store().delete(key).orThrow();
            fails(store().get(key, ByteRange.ALL), Kind.NOT_FOUND, "NoSuchKey");
            if (left.size() % 10 == 0) {
                assertThat(Expect.keys(store(), ""))
                        .isEqualTo(left.stream().sorted(Expect.BYTE_ORDER).toList());
            }
        }
    }

    @Test
    default void oddKeysAreDeletedTogether() {
        List<String> keys = oddKeys();
        for (String key : keys)
            store().put(key, text(body(key)), PutOptions.PLAIN).orThrow();
        assertThat(store().deleteAll(keys).orThrow()).isEmpty();
        assertThat(Expect.keys(store(), "")).isEmpty();
    }

    @Test
    default void theDeepestKeysAreObjectsToo() {
        List<String> keys = Stream.of("/".repeat(1024), "X/".repeat(512))
                .filter(this::takes)
                .toList();
        for (String key : keys)
            store().put(key, text(body(key)), PutOptions.IF_ABSENT).orThrow();
        for (String key : keys) assertThat(Expect.read(store(), key)).isEqualTo(body(key));
        assertThat(Expect.keys(store(), "")).isEqualTo(keys);
        assertThat(store().deleteAll(keys).orThrow()).isEmpty();
        assertThat(Expect.keys(store(), "")).isEmpty();
    }

    @Test
    default void whatIsNoKeyIsRefused() {
        for (String key : List.of("", "x".repeat(1025), "\u00e9".repeat(513), "half \ud83d pair")) {
            assertThat(store().put(key, text("x"), PutOptions.PLAIN).failedWith(Kind.INVALID))
                    .isTrue();
            assertThat(store().head(key).failedWith(Kind.INVALID)).isTrue();
            assertThat(store().get(key, ByteRange.ALL).failedWith(Kind.INVALID)).isTrue();
            assertThat(store().delete(key).failedWith(Kind.INVALID)).isTrue();
            assertThat(store().createUpload(key, PutOptions.PLAIN).failedWith(Kind.INVALID))
                    .isTrue();
            assertThat(store().deleteAll(List.of(key)).orThrow()).hasSize(1);
        }
    }

    private static String body(String key) {
        return "body of " + key;
    }
}
