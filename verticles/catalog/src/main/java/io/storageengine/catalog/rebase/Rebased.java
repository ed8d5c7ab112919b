package io.storageengine.catalog.rebase;

import org.apache.iceberg.rest.requests.UpdateTableRequest;

/// An append put on the head.
///
/// @param request the client's, with the snapshot and the expected head exchanged
/// @param manifestList the one object that was written for it; to be discarded when the commit is lost
public record Rebased(UpdateTableRequest request, String manifestList) {}
