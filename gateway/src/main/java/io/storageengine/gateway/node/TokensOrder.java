package io.storageengine.gateway.node;

import io.storageengine.gateway.auth.TokenStore;
import java.net.URI;

/// What `se tokens` is to do, and with which tokens.
///
/// @param logLevel as `--log.level`
record TokensOrder(Action action, Place place, String logLevel) {
    sealed interface Action {}

    /// Make one and print it.
    record Create(TokenStore.Wish wish) implements Action {}

    /// Print what is known of all of them.
    record Show() implements Action {}

    /// Make one nothing.
    record Revoke(String id) implements Action {}

    /// Where the tokens are.
    sealed interface Place {}

    /// In a storage that this process opens itself.
    record Stored(Settings.Storage storage) implements Place {}

    /// In that of a running node.
    ///
    /// @param server its address
    /// @param token the administrator's; empty for a node that asks nobody
    record Served(URI server, String token) implements Place {
        @Override
        public String toString() {
            return "Served[" + server + "]";
        }
    }
}
