package io.storageengine.store.local;

import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Optional;

/// Where an object lies below a directory, for any key at all.
///
/// A key is cut at its slashes. `a/b` is the file `b=` in the directory `a+`, so that `a` and `a/b` can both be
/// there, and `a//b` and `a/` are nothing special. Bytes other than `a-z 0-9 . - _` are written `%xx`: no name is
/// `.` or `..`, none depends on upper and lower case or on Unicode's forms. What would make a name of 200 or more
/// characters goes on in a continuation directory, `…,`: whether it does depends on the name's beginning only, so
/// the names in one directory, unescaped (directories with their slash), sort as the keys do.
final class Layout {
    static final int NAME_LENGTH_MAX = 200;
    private static final char FILE = '=';
    private static final char DIRECTORY = '+';
    private static final char CONTINUED = ',';
    private static final HexFormat HEX = HexFormat.of();

    private Layout() {}

    /// What a name in a directory stands for.
    ///
    /// @param head the raw key of a file, or what all raw keys in the directory begin with
    record Entry(String head, boolean isFile, Path path) {}

    /// The file of a raw key.
    static Path file(Path root, String raw) {
        Path path = root;
        int at = 0;
        while (true) {
            StringBuilder name = new StringBuilder();
            while (at < raw.length() && raw.charAt(at) != '/' && name.length() < NAME_LENGTH_MAX) {
                escape(raw.charAt(at++), name);
            }
            if (name.length() >= NAME_LENGTH_MAX) {
                path = path.resolve(name.append(CONTINUED).toString());
            } else if (at == raw.length()) {
                return path.resolve(name.append(FILE).toString());
            } else {
                path = path.resolve(name.append(DIRECTORY).toString());
                at++;
            }
        }
    }

    /// What a path in a directory stands for; empty when it is none of ours.
    ///
    /// @param base what all raw keys in the directory begin with
    static Optional<Entry> entry(Path path, String base) {
        String name = path.getFileName().toString();
        if (name.isEmpty()) return Optional.empty();
        Optional<String> raw = unescape(name.substring(0, name.length() - 1));
        return switch (name.charAt(name.length() - 1)) {
            case FILE -> raw.map(text -> new Entry(base + text, true, path));
            case DIRECTORY -> raw.map(text -> new Entry(base + text + '/', false, path));
            case CONTINUED -> raw.map(text -> new Entry(base + text, false, path));
            default -> Optional.empty();
        };
    }

    private static void escape(char raw, StringBuilder name) {
        if (isPlain(raw)) name.append(raw);
        else name.append('%').append(HEX.toHexDigits((byte) raw));
    }

    private static boolean isPlain(char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' || c == '-' || c == '_';
    }

    private static Optional<String> unescape(String name) {
        StringBuilder raw = new StringBuilder(name.length());
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            if (isPlain(c)) {
                raw.append(c);
            } else if (c == '%' && i + 2 < name.length() && isHex(name, i + 1)) {
                raw.append((char) HexFormat.fromHexDigits(name, i + 1, i + 3));
                i += 2;
            } else {
                return Optional.empty();
            }
        }
        return Optional.of(raw.toString());
    }

    private static boolean isHex(String name, int at) {
        return HexFormat.isHexDigit(name.charAt(at)) && HexFormat.isHexDigit(name.charAt(at + 1));
    }
}
