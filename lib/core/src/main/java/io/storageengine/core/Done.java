package io.storageengine.core;

/// The value of an [Outcome] that has none.
public enum Done {
    DONE
}
