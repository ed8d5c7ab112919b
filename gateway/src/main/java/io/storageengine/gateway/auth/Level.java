package io.storageengine.gateway.auth;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/// How much a right allows; each level includes those before it.
public enum Level {
    /// Look at the catalog: every GET and HEAD, scan planning and metrics reports.
    READ,
    /// Change what is in it: tables, views, namespaces, rows.
    WRITE,
    /// Register, show and forget the catalog itself.
    ADMIN;

    /// As it is written: `read`, `write`, `admin`.
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /// The level of that word.
    public static Optional<Level> of(String word) {
        return Arrays.stream(values())
                .filter(level -> level.word().equals(word))
                .findFirst();
    }
}
