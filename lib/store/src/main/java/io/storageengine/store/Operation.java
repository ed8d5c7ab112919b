package io.storageengine.store;

/// The requests that a store knows.
public enum Operation {
    HEAD(false),
    GET(false),
    PUT(true),
    DELETE(true),
    DELETE_ALL(true),
    LIST(false),
    CREATE_UPLOAD(true),
    UPLOAD_PART(true),
    COMPLETE_UPLOAD(true),
    ABORT_UPLOAD(true),
    LIST_PARTS(false),
    LIST_UPLOADS(false);

    private final boolean writes;

    Operation(boolean writes) {
        this.writes = writes;
    }

    /// True when a lost answer leaves open whether something was written.
    public boolean writes() {
        return writes;
    }
}
