package io.storageengine.ingest.session;

import io.storageengine.ingest.wal.WriteAheadLog;

/// One catalog's part in ingestion.
///
/// @param log where its rows become durable
/// @param keys its keyed requests that are not committed yet
public record Tenant(WriteAheadLog log, Keys keys) {}
