package io.storageengine.gateway.node;

import io.storageengine.core.Clock;
import io.storageengine.core.Ids;
import io.storageengine.core.store.Buckets;
import io.storageengine.core.store.ObjectStore;
import io.storageengine.gateway.s3.Hidden;
import io.storageengine.store.Retries;
import io.storageengine.store.ScopedStore;
import io.storageengine.store.local.LocalBuckets;
import io.storageengine.store.s3.S3Buckets;
import io.storageengine.store.s3.S3Options;
import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;
import java.util.random.RandomGenerator;

/// The two storages of a node, open.
///
/// @param buckets catalog storage: what the S3 API shows
/// @param cluster cluster storage
/// @param hidden what of the buckets is cluster storage and not shown
record OpenStorage(Buckets buckets, ObjectStore cluster, Hidden hidden) {
    /// @throws StartRefused when it cannot be used
    static OpenStorage open(Settings.Storage storage, Clock clock, RandomGenerator random) {
        return switch (storage) {
            case Settings.LocalStorage(Path folder) -> local(folder, clock, random);
            case Settings.S3Storage s3 -> s3(s3, clock, random);
        };
    }

    /// For a command beside nodes.
    ///
    /// @param whenTaken what to do where a node has a local folder
    /// @throws StartRefused when it cannot be used
    static OpenStorage open(Settings.Storage storage, Clock clock, RandomGenerator random, String whenTaken) {
        try {
            return open(storage, clock, random);
        } catch (StartRefused e) {
            throw switch (storage) {
                case Settings.S3Storage s3 -> e;
                case Settings.LocalStorage local -> new StartRefused(e.getMessage() + " (" + whenTaken + ")");
            };
        }
    }

    private static OpenStorage local(Path folder, Clock clock, RandomGenerator random) {
        LocalBuckets buckets = StartRefused.orRefuse(LocalBuckets.open(folder, clock, new Ids(random)));
        return new OpenStorage(buckets, buckets.cluster(), Hidden.NOTHING);
    }

    private static OpenStorage s3(Settings.S3Storage s3, Clock clock, RandomGenerator random) {
        S3Options options = s3.endpoint().isEmpty() ? S3Options.AWS : S3Options.at(endpoint(s3.endpoint()));
        options = options.withPathStyle(s3.pathStyle()).withRegion(s3.region());
        Optional<Settings.Keys> keys = s3.keys();
        if (keys.isPresent()) {
            options = options.with(
                    new S3Options.Credentials(keys.get().id(), keys.get().secret(), ""));
        }
        S3Buckets buckets = StartRefused.orRefuse(S3Buckets.open(options, clock, random, Retries.DEFAULT));
        ObjectStore cluster = new ScopedStore(buckets.bucket(s3.bucket()), s3.prefix());
        return new OpenStorage(buckets, cluster, new Hidden(s3.bucket(), s3.prefix()));
    }

    private static URI endpoint(String text) {
        try {
            URI uri = URI.create(text);
            if (uri.getHost() != null) return uri;
        } catch (IllegalArgumentException e) {
            throw new StartRefused("--s3.endpoint is a URL like https://s3.example.com, not '" + text + "'");
        }
        throw new StartRefused("--s3.endpoint is a URL like https://s3.example.com, not '" + text + "'");
    }

    void close() {
        cluster.close();
        buckets.close();
    }
}
