package io.storageengine.catalog;

import io.storageengine.catalog.log.CatalogLog;
import io.storageengine.catalog.log.CatalogLogOptions;
import io.storageengine.core.Clock;
import io.storageengine.core.log.LogOptions;
import io.storageengine.core.log.ObjectLog;
import io.storageengine.core.store.ObjectStore;
import java.util.random.RandomGenerator;

/// Makes this process's holds on logs; each log is to be held once.
record CatalogLogs(CatalogOptions options, Clock clock, RandomGenerator random) {
    private static final int BATCH_MAX = 1_000;

    CatalogLog hold(ObjectStore store, String prefix) {
        ObjectLog objects = new ObjectLog(store, prefix, options.writer(), LogOptions.DEFAULT, clock, random);
        CatalogLogOptions held = new CatalogLogOptions(options.exclusive(), options.checkpointEvery(), BATCH_MAX);
        return new CatalogLog(objects, held, clock);
    }
}
