package io.storageengine.ingest.session;

import io.storageengine.ingest.channel.Channels;
import io.storageengine.ingest.wal.WriteAheadLog;

/// One catalog's part in ingestion.
///
/// @param log where its rows become durable
/// @param keys its keyed requests that are not committed yet
/// @param channels its channels that this process holds
public record Tenant(WriteAheadLog log, Keys keys, Channels channels) {}
