package io.storageengine.core.store;

import java.time.Instant;

/// A bucket and when it was created.
public record BucketInfo(String name, Instant created) {}
