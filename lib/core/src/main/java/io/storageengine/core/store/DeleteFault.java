package io.storageengine.core.store;

import io.storageengine.core.Failure;

/// A key that could not be deleted.
public record DeleteFault(String key, Failure failure) {}
