package io.storageengine.checks.sim;

import io.storageengine.core.Done;
import io.storageengine.core.Failure;
import io.storageengine.core.Outcome;
import io.storageengine.core.store.BucketInfo;
import io.storageengine.core.store.Buckets;
import io.storageengine.core.store.ObjectStore;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

/// One process's way to the buckets of a simulated account; which buckets there are is no matter of faults.
///
/// @param disks the account's buckets by name
/// @param stores the process's way to one of them
record SimBuckets(Map<String, SimDisk> disks, Function<SimDisk, ObjectStore> stores) implements Buckets {
    @Override
    public ObjectStore bucket(String name) {
        return stores.apply(Objects.requireNonNull(disks.get(name), name));
    }

    @Override
    public Outcome<Done> create(String name) {
        return Outcome.failed(Failure.Kind.EXISTS, "BucketAlreadyOwnedByYou", name);
    }

    @Override
    public Outcome<Done> head(String name) {
        return disks.containsKey(name)
                ? Outcome.ok(Done.DONE)
                : Outcome.failed(Failure.Kind.NOT_FOUND, "NoSuchBucket", name);
    }

    @Override
    public Outcome<Done> delete(String name) {
        return Outcome.failed(Failure.Kind.CONFLICT, "BucketNotEmpty", name);
    }

    @Override
    public Outcome<List<BucketInfo>> list() {
        return Outcome.failed(Failure.Kind.BUG, "lists of buckets are not simulated");
    }

    @Override
    public void close() {}
}
