package io.storageengine.catalog.state;

import java.util.Objects;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/// An immutable sorted map: an AVL tree whose updates copy one path and share the rest, so that a change
/// costs the logarithm of the size and every earlier version stays as it was.
///
/// @param <K> keys in their natural order
/// @param <V> values
public final class SortedTree<K extends Comparable<? super K>, V> {
    private final @Nullable Node<K, V> root;
    private final int size;

    private SortedTree(@Nullable Node<K, V> root, int size) {
        this.root = root;
        this.size = size;
    }

    /// The map without entries.
    public static <K extends Comparable<? super K>, V> SortedTree<K, V> empty() {
        return new SortedTree<>(null, 0);
    }

    public int size() {
        return size;
    }

    public boolean isEmpty() {
        return root == null;
    }

    public @Nullable V get(K key) {
        Node<K, V> node = root;
        while (node != null) {
            int order = key.compareTo(node.key);
            if (order == 0) return node.value;
            node = order < 0 ? node.left : node.right;
        }
        return null;
    }

    public boolean contains(K key) {
        return get(key) != null;
    }

    /// This map with `key` standing for `value`.
    public SortedTree<K, V> with(K key, V value) {
        Objects.requireNonNull(value);
        int added = contains(key) ? 0 : 1;
        return new SortedTree<>(put(root, key, value), size + added);
    }

    /// This map without `key`; the same object when it is not there.
    public SortedTree<K, V> without(K key) {
        return contains(key) ? new SortedTree<>(remove(root, key), size - 1) : this;
    }

    /// The smallest key that is not below `key`, or null.
    public @Nullable K ceiling(K key) {
        return above(key, true);
    }

    /// The smallest key above `key`, or null.
    public @Nullable K higher(K key) {
        return above(key, false);
    }

    /// The smallest key, or null.
    public @Nullable K first() {
        return root == null ? null : leftmost(root).key;
    }

    /// Calls `action` for each entry in the order of keys.
    public void forEach(BiConsumer<? super K, ? super V> action) {
        visit(root, action);
    }

    private @Nullable K above(K key, boolean included) {
        Node<K, V> node = root;
        K best = null;
        while (node != null) {
            int order = key.compareTo(node.key);
            if (order == 0 && included) return node.key;
            if (order < 0) best = node.key;
            node = order < 0 ? node.left : node.right;
        }
        return best;
    }

    private static <K, V> void visit(@Nullable Node<K, V> node, BiConsumer<? super K, ? super V> action) {
        if (node == null) return;
        visit(node.left, action);
        action.accept(node.key, node.value);
        visit(node.right, action);
    }

    private static <K extends Comparable<? super K>, V> Node<K, V> put(@Nullable Node<K, V> node, K key, V value) {
        if (node == null) return new Node<>(key, value, null, null);
        int order = key.compareTo(node.key);
        if (order == 0) return new Node<>(key, value, node.left, node.right);
        return order < 0
                ? balanced(node.key, node.value, put(node.left, key, value), node.right)
                : balanced(node.key, node.value, node.left, put(node.right, key, value));
    }

    private static <K extends Comparable<? super K>, V> @Nullable Node<K, V> remove(@Nullable Node<K, V> node, K key) {
        if (node == null) return null;
        int order = key.compareTo(node.key);
        if (order < 0) return balanced(node.key, node.value, remove(node.left, key), node.right);
        if (order > 0) return balanced(node.key, node.value, node.left, remove(node.right, key));
        if (node.left == null) return node.right;
        if (node.right == null) return node.left;
        Node<K, V> next = leftmost(node.right);
        return balanced(next.key, next.value, node.left, remove(node.right, next.key));
    }

    private static <K, V> Node<K, V> leftmost(Node<K, V> node) {
        Node<K, V> at = node;
        while (at.left != null) at = at.left;
        return at;
    }

    private static <K, V> Node<K, V> balanced(K key, V value, @Nullable Node<K, V> left, @Nullable Node<K, V> right) {
        int lean = height(left) - height(right);
        if (left != null && lean > 1) return rotatedRight(key, value, left, right);
        if (right != null && lean < -1) return rotatedLeft(key, value, left, right);
        return new Node<>(key, value, left, right);
    }

    private static <K, V> Node<K, V> rotatedRight(K key, V value, Node<K, V> left, @Nullable Node<K, V> right) {
        Node<K, V> inner = left.right;
        if (inner == null || height(left.left) >= height(inner)) {
            return new Node<>(left.key, left.value, left.left, new Node<>(key, value, inner, right));
        }
        Node<K, V> lower = new Node<>(left.key, left.value, left.left, inner.left);
        return new Node<>(inner.key, inner.value, lower, new Node<>(key, value, inner.right, right));
    }

    private static <K, V> Node<K, V> rotatedLeft(K key, V value, @Nullable Node<K, V> left, Node<K, V> right) {
        Node<K, V> inner = right.left;
        if (inner == null || height(right.right) >= height(inner)) {
            return new Node<>(right.key, right.value, new Node<>(key, value, left, inner), right.right);
        }
        Node<K, V> upper = new Node<>(right.key, right.value, inner.right, right.right);
        return new Node<>(inner.key, inner.value, new Node<>(key, value, left, inner.left), upper);
    }

    private static int height(@Nullable Node<?, ?> node) {
        return node == null ? 0 : node.height;
    }

    private static final class Node<K, V> {
        private final K key;
        private final V value;
        private final @Nullable Node<K, V> left;
        private final @Nullable Node<K, V> right;
        private final int height;

        private Node(K key, V value, @Nullable Node<K, V> left, @Nullable Node<K, V> right) {
            this.key = key;
            this.value = value;
            this.left = left;
            this.right = right;
            this.height = Math.max(SortedTree.height(left), SortedTree.height(right)) + 1;
        }
    }
}
