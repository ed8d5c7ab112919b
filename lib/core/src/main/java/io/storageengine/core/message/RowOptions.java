package io.storageengine.core.message;

import java.util.Optional;

/// How rows of one HTTP request are to be taken.
///
/// @param format of the body after decoding
/// @param encoding of the body
/// @param create make namespace and table when they are not there
/// @param ack when to answer
/// @param onError what to do when some rows are bad
/// @param idempotencyKey the request's `Idempotency-Key`; empty when it has none
/// @param contentLength length of the body as sent, or -1 when not known
/// @param channel where the rows stand in a channel; empty when they are in none
public record RowOptions(
        Format format,
        Encoding encoding,
        boolean create,
        Ack ack,
        OnError onError,
        String idempotencyKey,
        long contentLength,
        Optional<InChannel> channel) {
    /// Rows that are in no channel.
    public RowOptions(
            Format format,
            Encoding encoding,
            boolean create,
            Ack ack,
            OnError onError,
            String idempotencyKey,
            long contentLength) {
        this(format, encoding, create, ack, onError, idempotencyKey, contentLength, Optional.empty());
    }

    /// Where rows stand in a channel.
    ///
    /// @param name the channel's
    /// @param epoch of the opening that the client has
    /// @param offset of the first row
    public record InChannel(String name, long epoch, long offset) {}

    /// Body formats.
    public enum Format {
        /// One object, or an array of objects.
        JSON,
        /// One object a line.
        NDJSON,
        /// RFC 4180, with a header.
        CSV,
        /// An Arrow IPC stream.
        ARROW
    }

    /// Content codings.
    public enum Encoding {
        IDENTITY,
        GZIP,
        ZSTD
    }

    /// When a request is answered.
    public enum Ack {
        /// Once the rows are in the write-ahead log.
        DURABLE,
        /// Once the rows are in a snapshot.
        COMMITTED
    }

    /// What bad rows do to a request.
    public enum OnError {
        /// The whole request is refused and nothing of it becomes visible.
        REFUSE,
        /// The good rows are taken and the bad ones reported.
        SKIP
    }
}
