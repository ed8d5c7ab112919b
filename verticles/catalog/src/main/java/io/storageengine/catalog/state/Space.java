package io.storageengine.catalog.state;

import java.util.Arrays;
import java.util.List;
import java.util.Map;

/// A namespace: its properties, and its tables and views by name; a name is a table's or a view's.
///
/// A namespace is known by its *path*: its levels joined by the unit separator (U+001F), as on the wire; no
/// level may contain it.
///
/// @param properties as set by clients
/// @param tables by name
/// @param views by name
public record Space(
        Map<String, String> properties, SortedTree<String, TableState> tables, SortedTree<String, ViewState> views) {
    /// Between two levels of a path.
    public static final char SEPARATOR = '\u001f';

    public Space {
        properties = Map.copyOf(properties);
    }

    /// A namespace that holds nothing.
    static Space empty(Map<String, String> properties) {
        return new Space(properties, SortedTree.empty(), SortedTree.empty());
    }

    /// The path of these levels.
    public static String path(List<String> levels) {
        return String.join("\u001f", levels);
    }

    /// The levels of a path.
    public static List<String> levels(String path) {
        return Arrays.asList(path.split("\u001f", -1));
    }

    /// `a.b`, for messages to people.
    public static String display(String path) {
        return path.replace(SEPARATOR, '.');
    }

    Space with(Map<String, String> others) {
        return new Space(others, tables, views);
    }

    Space with(SortedTree<String, TableState> others) {
        return new Space(properties, others, views);
    }

    Space withViews(SortedTree<String, ViewState> others) {
        return new Space(properties, tables, others);
    }
}
