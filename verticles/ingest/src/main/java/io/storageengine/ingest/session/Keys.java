package io.storageengine.ingest.session;

import io.storageengine.core.Outcome;
import io.storageengine.core.message.TableRef;
import io.storageengine.ingest.table.Arrival;
import io.storageengine.ingest.wal.Block;
import io.storageengine.ingest.wal.LogPosition;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/// Requests with an `Idempotency-Key` that this process works on, or that are durable and not committed yet;
/// what is committed the catalog knows. Thread-safe.
public final class Keys {
    private final ConcurrentHashMap<Id, Entry> entries = new ConcurrentHashMap<>();

    private record Id(TableRef table, String key) {}

    /// A request that was taken.
    ///
    /// @param tableUuid the table that it went to
    /// @param hash of its body and options
    /// @param answer as the client got it
    /// @param committed the snapshot that holds its rows, once one does
    public record Taken(String tableUuid, String hash, String answer, CompletableFuture<Outcome<Long>> committed) {}

    /// One request's place: whoever has it decides what becomes of the key.
    final class Entry {
        private final Id id;
        private final CompletableFuture<Optional<Taken>> decided = new CompletableFuture<>();

        private boolean isFollowed;

        private Entry(Id id) {
            this.id = id;
        }

        /// From here on the log decides.
        void follow(Arrival arrival, Block.RequestKey key) {
            isFollowed = true;
            var _ = arrival.logged().whenComplete((logged, error) -> {
                if (logged instanceof Outcome.Ok<LogPosition>(LogPosition at))
                    taken(new Taken(arrival.block().tableUuid(), key.hash(), key.answer(at), arrival.committed()));
                else dropped();
            });
        }

        /// The request is durable; forgotten once it is committed.
        void taken(Taken taken) {
            decided.complete(Optional.of(taken));
            var _ = taken.committed().whenComplete((snapshot, error) -> entries.remove(id, this));
        }

        /// The request is over: unless the log decides, it was not taken, and the next one with the key may be.
        void release() {
            if (!isFollowed) dropped();
        }

        private void dropped() {
            entries.remove(id, this);
            decided.complete(Optional.empty());
        }

        /// What became of the request, once that is known.
        CompletableFuture<Optional<Taken>> decided() {
            return decided;
        }
    }

    /// The place of a key.
    ///
    /// @param isMine true when it was free: the caller decides it
    record Place(Entry entry, boolean isMine) {}

    Place enter(TableRef table, String key) {
        Id id = new Id(table, key);
        Entry mine = new Entry(id);
        Entry present = entries.putIfAbsent(id, mine);
        return present == null ? new Place(mine, true) : new Place(present, false);
    }

    /// Makes room where a place was decided for a table that is there no more.
    void forget(Entry decided) {
        entries.remove(decided.id, decided);
    }

    /// A durable request that was found in a log.
    public void found(TableRef table, String key, Taken taken) {
        Id id = new Id(table, key);
        Entry mine = new Entry(id);
        if (entries.putIfAbsent(id, mine) == null) mine.taken(taken);
    }
}
