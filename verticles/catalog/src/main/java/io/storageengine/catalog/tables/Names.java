package io.storageengine.catalog.tables;

import io.storageengine.catalog.iceberg.Refusals;
import io.storageengine.catalog.state.Space;
import io.storageengine.catalog.state.TableName;
import java.util.List;

/// Which names a native catalog takes: any text, but for the empty one, the separator of namespace levels, NUL
/// and halves of surrogate pairs (which no client could write in a path).
public final class Names {
    /// In UTF-16 units; a file system or a URL would not carry more.
    private static final int CHARS_MAX = 1_000;

    private static final int LEVELS_MAX = 50;

    private Names() {}

    /// The path of a namespace to be made.
    static String space(List<String> levels) {
        if (levels.isEmpty()) throw Refusals.bad("A namespace needs a name");
        if (levels.size() > LEVELS_MAX) throw Refusals.bad("A namespace has at most " + LEVELS_MAX + " levels");
        levels.forEach(level -> check("namespace", level));
        return Space.path(levels);
    }

    /// The name of a table to be made.
    static TableName table(String space, String name) {
        check("table", name);
        return new TableName(space, name);
    }

    /// The name of a view to be made.
    public static TableName view(String space, String name) {
        check("view", name);
        return new TableName(space, name);
    }

    private static void check(String what, String name) {
        if (name.isEmpty()) throw Refusals.bad("A " + what + " name is empty");
        if (name.length() > CHARS_MAX) {
            throw Refusals.bad("A " + what + " name has at most " + CHARS_MAX + " characters");
        }
        if (name.indexOf(Space.SEPARATOR) >= 0 || name.indexOf('\0') >= 0 || !isWhole(name)) {
            throw Refusals.bad("A " + what + " name holds a character that is not allowed: U+0000, U+001F or half of"
                    + " a surrogate pair");
        }
    }

    private static boolean isWhole(String name) {
        return name.codePoints().noneMatch(c -> c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE);
    }
}
