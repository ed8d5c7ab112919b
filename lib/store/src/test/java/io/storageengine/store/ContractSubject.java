package io.storageengine.store;

import io.storageengine.core.store.Buckets;
import io.storageengine.core.store.ObjectStore;

/// What a contract is run against.
interface ContractSubject {
    /// The account under test.
    Buckets buckets();

    /// An empty bucket of its own for each test.
    ObjectStore store();

    /// False for a server that fails where a part is sent to, or an object made of, an upload that is not there.
    default boolean tellsUnknownUploads() {
        return true;
    }

    /// How often a random test repeats: servers are slower than memory.
    default int rounds() {
        return 200;
    }
}
