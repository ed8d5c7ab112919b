package io.storageengine.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.storageengine.core.store.ListPage;
import io.storageengine.core.store.ListRequest;
import io.storageengine.core.store.ObjectInfo;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

interface ListContract extends ContractSubject {
    List<String> LETTERS =
            List.of("a", "b", "/", "/", "!", "0", "A", "\u00e9", "\ufffd", "\ud83d\ude00", "x".repeat(70));

    private void putAll(Collection<String> keys) {
        Expect.putAll(store(), keys);
    }

    private ListPage list(String prefix, String delimiter, String after, int max) {
        return store().list(new ListRequest(prefix, delimiter, after, max)).orThrow();
    }

    private static List<String> keys(ListPage page) {
        return page.objects().stream().map(ObjectInfo::key).toList();
    }

    @Test
    default void anEmptyBucketListsNothing() {
        ListPage page = list("", "/", "", 1_000);
        assertThat(page.objects()).isEmpty();
        assertThat(page.commonPrefixes()).isEmpty();
        assertThat(page.isLast()).isTrue();
    }

    @Test
    default void thousandsOfKeysComeInPagesInOrder() {
        List<String> keys = new ArrayList<>();
        for (int i = 0; i < 2_500; i++) keys.add("p/" + i);
        putAll(keys);
        ListPage first = list("p/", "", "", 1_000);
        ListPage second = list("p/", "", first.next(), 1_000);
        ListPage third = list("p/", "", second.next(), 1_000);
        assertThat(first.objects()).hasSize(1_000);
        assertThat(second.objects()).hasSize(1_000);
        assertThat(third.objects()).hasSize(500);
        assertThat(third.isLast()).isTrue();
        List<String> listed = new ArrayList<>(keys(first));
        listed.addAll(keys(second));
        listed.addAll(keys(third));
        assertThat(listed).isEqualTo(keys.stream().sorted(Expect.BYTE_ORDER).toList());
    }

    @Test
    default void aPageThatIsExactlyFullIsTheLast() {
        putAll(List.of("a", "b", "c"));
        assertThat(list("", "", "", 3).isLast()).isTrue();
        assertThat(list("", "", "", 2).next()).isEqualTo("b");
        assertThat(list("", "", "b", 2).isLast()).isTrue();
    }

    @Test
    default void keysBelowADelimiterFoldIntoOnePrefix() {
        putAll(List.of("a", "a!", "a/1", "a/2", "a/b/3", "a0", "b/4", "c"));
        ListPage top = list("", "/", "", 1_000);
        assertThat(keys(top)).containsExactly("a", "a!", "a0", "c");
        assertThat(top.commonPrefixes()).containsExactly("a/", "b/");
        ListPage inside = list("a/", "/", "", 1_000);
        assertThat(keys(inside)).containsExactly("a/1", "a/2");
        assertThat(inside.commonPrefixes()).containsExactly("a/b/");
        ListPage noSlash = list("a", "/", "", 1_000);
        assertThat(keys(noSlash)).containsExactly("a", "a!", "a0");
        assertThat(noSlash.commonPrefixes()).containsExactly("a/");
    }

    @Test
    default void aPrefixEndsWhereOtherKeysBegin() {
        putAll(List.of("acme/1", "acme2/1", "acm", "acme", "acme/"));
        assertThat(keys(list("acme/", "", "", 1_000))).containsExactly("acme/", "acme/1");
        assertThat(keys(list("acme", "", "", 1_000))).containsExactly("acme", "acme/", "acme/1", "acme2/1");
        assertThat(keys(list("acmes", "", "", 1_000))).isEmpty();
    }

    @Test
    default void aCommonPrefixIsNotRepeatedAfterItself() {
        putAll(List.of("a/1", "a/2", "b"));
        assertThat(list("", "/", "a/", 1_000).commonPrefixes()).isEmpty();
        assertThat(list("", "/", "a/1", 1_000).commonPrefixes()).isEmpty();
        assertThat(keys(list("", "/", "a/", 1_000))).containsExactly("b");
        assertThat(list("", "/", "a", 1_000).commonPrefixes()).containsExactly("a/");
    }

    @Test
    default void anyPagingOfAnyTreeListsWhatAPlainFoldLists() {
        long seed = 20_261_130L;
        RandomGenerator random = Expect.random(seed);
        Set<String> keys = new TreeSet<>(Expect.BYTE_ORDER);
        while (keys.size() < 60) keys.add(word(random, 1 + random.nextInt(6)));
        putAll(keys);
        for (int round = 0; round < rounds(); round++) {
            String prefix = word(random, random.nextInt(3));
            String delimiter = List.of("", "/", "/", "a", "\u00e9", "//", "b/").get(random.nextInt(7));
            String after = word(random, random.nextInt(3));
            int max = 1 + random.nextInt(7);
            ListRequest request = new ListRequest(prefix, delimiter, after, max);
            assertThat(itemsByPages(request))
                    .as("seed %d round %d %s", seed, round, request)
                    .isEqualTo(itemsByFolding(keys, request));
        }
    }

    private static String word(RandomGenerator random, int letters) {
        StringBuilder word = new StringBuilder();
        for (int i = 0; i < letters; i++) word.append(LETTERS.get(random.nextInt(LETTERS.size())));
        return word.toString();
    }

    private List<String> itemsByPages(ListRequest request) {
        List<String> items = new ArrayList<>();
        while (true) {
            ListPage page = store().list(request).orThrow();
            List<String> both = new ArrayList<>(keys(page));
            both.addAll(page.commonPrefixes());
            both.sort(Expect.BYTE_ORDER);
            items.addAll(both);
            if (page.isLast()) return items;
            assertThat(both).as(request.toString()).hasSize(request.max());
            request = request.after(page.next());
        }
    }

    private static List<String> itemsByFolding(Set<String> keys, ListRequest request) {
        Set<String> items = new TreeSet<>(Expect.BYTE_ORDER);
        for (String key : keys) {
            if (!key.startsWith(request.prefix())) continue;
            int at = request.delimiter().isEmpty()
                    ? -1
                    : key.indexOf(request.delimiter(), request.prefix().length());
            items.add(at < 0 ? key : key.substring(0, at + request.delimiter().length()));
        }
        items.removeIf(item -> Expect.BYTE_ORDER.compare(item, request.after()) <= 0);
        return new ArrayList<>(items);
    }
}
