/// Channels: rows with numbers, so that a client which repeats adds none twice and misses none.
///
/// A channel belongs to a table (its uuid) and has one holder: a write-ahead log, named in the catalog's log.
/// Only into that log its rows are written. Who takes it over ends that log first (a seal, after which nothing
/// is written to it) and waits until all that it holds of the table is committed; then the catalog's log gets the
/// new holder, if it still has the old one. So there is never a row of a channel in two logs at once that is not
/// committed yet, and up to which offset it is committed moves in the commit of the rows.
@NullMarked
package io.storageengine.ingest.channel;

import org.jspecify.annotations.NullMarked;
