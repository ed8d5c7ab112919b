package io.storageengine.core.message;

/// The bytes were taken; more may come.
public record TakenRows() implements Answer {}
