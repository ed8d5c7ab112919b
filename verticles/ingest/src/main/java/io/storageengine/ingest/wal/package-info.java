/// The write-ahead log: what was accepted, made durable by one PUT for all that wait.
///
/// One log per process and catalog, opened with its first row, under `wal/{catalog}/{log id}/` of the cluster
/// storage; an object log whose first seal ends it. An entry's payload is a *segment*:
///
/// ```
/// "SEW1"
/// block*         Arrow IPC stream of one record batch, or data files: a JSON array of strings, each
/// Iceberg's file JSON index          JSON:
/// {"blocks":[{"catalog","namespace":[],"table","uuid","rows","at","kind":"rows"|"files", "schema" (rows
/// only: the id they were checked against), "offset","length","crc" (CRC-32C), "key","hash","answer"
/// (requests with an Idempotency-Key only), "channel" (rows of a channel only: "name","life","from","to",
/// "rejected-before","rejected")}]} index length   4 bytes, big-endian index CRC-32C  4 bytes,
/// big-endian "SEW1"
/// ```
///
/// Offsets count from the payload's first byte. A request is in exactly one entry, whole; a request that is
/// taken segment by segment (`on-error=skip`, no key) is as many requests. So an entry is all there is to know:
/// replay needs no other, and half a request is never seen. An entry without rows of a table covers nothing of
/// it.
@NullMarked
package io.storageengine.ingest.wal;

import org.jspecify.annotations.NullMarked;
