package io.storageengine.core.message;

/// The session is gone.
public record AbortedRows() implements Answer {}
