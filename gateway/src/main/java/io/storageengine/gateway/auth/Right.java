package io.storageengine.gateway.auth;

import java.util.Optional;

/// What somebody may do with a catalog; written `catalog:level`.
///
/// @param catalog its id, or `*` for every catalog, also those not registered yet
/// @param level the most that is allowed
public record Right(String catalog, Level level) {
    static final String EVERY = "*";

    public Right {
        if (!catalog.equals(EVERY) && !catalog.matches("[a-z][a-z0-9_-]{0,62}")) {
            throw new IllegalArgumentException("a right is on '*' or on a catalog's id, [a-z][a-z0-9_-]* and at most"
                    + " 63 characters, not on '" + catalog + "'");
        }
    }

    /// Reads `catalog:level`; empty when it is not of that form.
    public static Optional<Right> parse(String text) {
        int colon = text.lastIndexOf(':');
        if (colon < 0) return Optional.empty();
        try {
            return Level.of(text.substring(colon + 1)).map(level -> new Right(text.substring(0, colon), level));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /// Whether this right allows that much on that catalog.
    boolean allows(String id, Level wanted) {
        return (catalog.equals(EVERY) || catalog.equals(id)) && level.compareTo(wanted) >= 0;
    }

    @Override
    public String toString() {
        return catalog + ":" + level.word();
    }
}
