package io.storageengine.gateway.node;

import io.storageengine.core.Clock;
import io.storageengine.core.Ids;
import io.storageengine.core.store.Buckets;
import io.storageengine.core.store.ObjectStore;
import io.storageengine.gateway.s3.Hidden;
import io.storageengine.store.memory.MemoryBuckets;

/// The two storages of a node, open.
///
/// @param buckets catalog storage: what the S3 API shows
/// @param cluster cluster storage
/// @param hidden what of the buckets is cluster storage and not shown
record OpenStorage(Buckets buckets, ObjectStore cluster, Hidden hidden, Runnable onClose) {
    /// @throws StartRefused when it cannot be used
    static OpenStorage open(Settings.Storage storage, Clock clock, Ids ids) {
        return new OpenStorage(
                new MemoryBuckets(clock, ids), MemoryBuckets.oneStore(clock, ids), Hidden.NOTHING, () -> {});
    }

    void close() {
        buckets.close();
        cluster.close();
        onClose.run();
    }
}
