package io.storageengine.ingest.wal;

import io.storageengine.core.message.ChannelHold;
import io.storageengine.core.message.TableRef;
import io.storageengine.core.message.Watermark;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/// Rows of one request for one table, as an entry of the log carries them.
///
/// @param table where the table was when the rows were accepted
/// @param tableUuid the table that they are for
/// @param rows how many
/// @param wallMillis when they were accepted
/// @param body the rows
/// @param key the request's `Idempotency-Key`, where it has one
/// @param part where the rows stand in a channel, when they came by one
public record Block(
        TableRef table,
        String tableUuid,
        long rows,
        long wallMillis,
        Body body,
        Optional<RequestKey> key,
        Optional<ChannelPart> part) {
    public Block {
        Objects.requireNonNull(table);
        Objects.requireNonNull(tableUuid);
        Objects.requireNonNull(body);
        Objects.requireNonNull(key);
        Objects.requireNonNull(part);
        if (rows < 0) throw new IllegalArgumentException("negative count of rows");
    }

    /// The rows themselves, or where they are.
    public sealed interface Body {}

    /// Rows as one Arrow IPC stream.
    ///
    /// @param schemaId the table schema that they were checked against
    /// @param ipc read-only by agreement
    public record Rows(int schemaId, ByteBuffer ipc) implements Body {}

    /// Data files that hold the rows and that no snapshot names yet.
    ///
    /// @param files Iceberg's JSON of each, as in `CommitFiles`
    public record Files(List<String> files) implements Body {
        public Files {
            files = List.copyOf(files);
        }
    }

    /// The same rows with another form of them.
    public Block with(Body other) {
        return new Block(table, tableUuid, rows, wallMillis, other, key, part);
    }

    /// A stretch of a channel's offsets.
    ///
    /// @param channel its name
    /// @param life which channel of that name ([ChannelHold#life])
    /// @param from the first offset
    /// @param to the offset after the last; more than the rows when some were refused or passed over
    /// @param rejectedBefore how many rows of the channel were refused before
    /// @param rejected how many of these offsets were refused rows
    public record ChannelPart(String channel, long life, long from, long to, long rejectedBefore, long rejected) {
        public ChannelPart {
            if (from < 0 || to <= from || rejected < 0 || rejected > to - from)
                throw new IllegalArgumentException("not a stretch of a channel: " + from + " to " + to);
        }

        /// What their commit moves: the channel's marks.
        public List<Watermark> marks() {
            ChannelHold hold = new ChannelHold(life, "", life);
            Watermark offsets = new Watermark(hold.mark(channel), from, to);
            return rejected == 0
                    ? List.of(offsets)
                    : List.of(
                            offsets,
                            new Watermark(hold.rejectedMark(channel), rejectedBefore, rejectedBefore + rejected));
        }
    }

    /// What makes a repeat of a request harmless.
    ///
    /// @param key as the client sent it
    /// @param hash of the decoded body and the options, hexadecimal
    /// @param answer the answer's JSON but for its token, which names the entry
    public record RequestKey(String key, String hash, String answer) {
        /// The answer as the client gets it.
        public String answer(LogPosition at) {
            return withToken(answer, at.token());
        }
    }

    /// An answer's JSON object with its last field.
    public static String withToken(String answer, String token) {
        return answer.substring(0, answer.length() - 1) + ",\"token\":\"" + token + "\"}";
    }

    /// About how many bytes it takes in an entry.
    public long bytes() {
        return 500
                + key.map(request -> request.answer().length()).orElse(0)
                + switch (body) {
                    case Rows(int schemaId, ByteBuffer ipc) -> ipc.remaining();
                    case Files(List<String> files) ->
                        files.stream().mapToLong(String::length).sum();
                };
    }
}
