package io.storageengine.gateway.auth;

import java.util.List;

/// Who sent a request, and what they may do.
///
/// @param principal whom the token was made for; empty when nobody is asked
/// @param rights on catalogs
public record Caller(String principal, List<Right> rights) {
    /// Who has the node's own token.
    static final String ADMINISTRATOR_NAME = "administrator";

    private static final List<Right> EVERYTHING = List.of(new Right(Right.EVERY, Level.ADMIN));

    static final Caller ADMINISTRATOR = new Caller(ADMINISTRATOR_NAME, EVERYTHING);

    /// Everybody, on a node that asks nobody.
    static final Caller ANYBODY = new Caller("", EVERYTHING);

    public Caller {
        rights = List.copyOf(rights);
    }

    /// Whether one of the rights allows that much on that catalog; `*` stands for every catalog.
    public boolean may(String catalog, Level level) {
        return rights.stream().anyMatch(right -> right.allows(catalog, level));
    }

    boolean administersSomething() {
        return rights.stream().anyMatch(right -> right.level() == Level.ADMIN);
    }
}
