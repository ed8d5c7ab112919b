package io.storageengine.gateway.node;

import java.util.Locale;

/// How the node was started.
enum Mode {
    /// One node on a local disk, for one person.
    DEV,
    /// Object storage, for everybody.
    SERVE;

    String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
