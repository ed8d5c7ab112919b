package io.storageengine.core.store;

import io.storageengine.core.Done;
import io.storageengine.core.Outcome;
import java.util.List;

/// The buckets of one storage account: S3's at an endpoint, or the folders of a local disk.
public interface Buckets extends AutoCloseable {
    /// The store over one bucket, whether or not the bucket exists; cheap, no request.
    ObjectStore bucket(String name);

    /// Creates a bucket; `EXISTS` when it is there, `INVALID` (`InvalidBucketName`).
    Outcome<Done> create(String name);

    /// Whether the bucket is there; `NOT_FOUND` (`NoSuchBucket`).
    Outcome<Done> head(String name);

    /// Deletes an empty bucket; `CONFLICT` (`BucketNotEmpty`), `NOT_FOUND` (`NoSuchBucket`).
    Outcome<Done> delete(String name);

    /// All buckets by name.
    Outcome<List<BucketInfo>> list();

    @Override
    void close();
}
