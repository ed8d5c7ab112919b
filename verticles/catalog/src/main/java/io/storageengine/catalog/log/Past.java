package io.storageengine.catalog.log;

import io.storageengine.catalog.iceberg.Refusals;
import io.storageengine.catalog.state.CatalogState;
import io.storageengine.catalog.state.Change;
import io.storageengine.catalog.state.EntryCodec;
import io.storageengine.catalog.state.Space;
import io.storageengine.catalog.state.StateCodec;
import io.storageengine.core.Failure;
import io.storageengine.core.FailureException;
import io.storageengine.core.log.Checkpoint;
import io.storageengine.core.log.ObjectLog;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/// What a catalog was, read from its log again: a few entries at a time. Failures are thrown as
/// [FailureException].
public final class Past {
    private static final int AT_ONCE = 16;

    private final ObjectLog objects;
    private final CatalogLog log;

    Past(ObjectLog objects, CatalogLog log) {
        this.objects = objects;
        this.log = log;
    }

    /// The catalog as of an entry: a LIST, and a GET of the newest checkpoint up to it and of each entry
    /// between. `NOT_FOUND` (`NoSuchEntryException`) when these are kept no longer.
    public CatalogState at(long number) {
        CatalogLog.Span span = log.span();
        if (number > span.last()) throw Refusals.bad("There is no entry " + number + ": the last is " + span.last());
        Optional<Checkpoint> base = objects.checkpointUpTo(number).orThrow();
        long position = base.map(Checkpoint::position).orElse(0L);
        if (number < span.first() || position < span.first() - 1) throw gone(number, span.first());
        CatalogState state = base.map(Checkpoint::state).map(StateCodec::decode).orElse(CatalogState.EMPTY);
        while (position < number) {
            int count = (int) Math.min(AT_ONCE, number - position);
            for (EntryCodec.Entry entry : entries(position + 1, count)) state = EntryCodec.apply(state, entry);
            position += count;
        }
        return state;
    }

    /// What became of tables between two entries that the state alone does not tell.
    ///
    /// @param upTo the last entry that was looked at
    /// @param handedOver tables that were purged or unregistered
    /// @param ingested tables that got marks or claims of ingestion
    public record Since(long upTo, Set<UUID> handedOver, Set<UUID> ingested) {
        public Since {
            handedOver = Set.copyOf(handedOver);
            ingested = Set.copyOf(ingested);
        }

        /// Nothing after an entry.
        public static Since entry(long number) {
            return new Since(number, Set.of(), Set.of());
        }
    }

    /// Looks at the entries after those that were looked at, up to the newest: a GET for each.
    public Since since(Since before) {
        long last = log.span().last();
        Set<UUID> handedOver = new HashSet<>(before.handedOver());
        Set<UUID> ingested = new HashSet<>(before.ingested());
        long position = before.upTo();
        while (position < last) {
            int count = (int) Math.min(AT_ONCE, last - position);
            for (EntryCodec.Entry entry : entries(position + 1, count)) {
                for (Change change : entry.changes()) {
                    if (change instanceof Change.TableDropped drop && drop.isForGood()) handedOver.add(drop.uuid());
                    if (change instanceof Change.TableCommitted commit && commit.isIngestion()) {
                        ingested.add(commit.uuid());
                    }
                }
            }
            position += count;
        }
        return new Since(position, handedOver, ingested);
    }

    /// The properties that a namespace had when it was dropped last; empty when the entries that are kept
    /// tell of no drop. Reads back from the newest: a GET an entry, then as [#at].
    public Optional<Map<String, String>> droppedSpace(String path) {
        CatalogLog.Span span = log.span();
        for (long to = span.last(); to >= span.first(); to -= AT_ONCE) {
            long from = Math.max(span.first(), to - AT_ONCE + 1);
            List<EntryCodec.Entry> read = entries(from, (int) (to - from + 1));
            for (int i = read.size() - 1; i >= 0; i--) {
                if (!read.get(i).changes().contains(new Change.SpaceDropped(path))) continue;
                // Of a namespace that was made in the same entry nothing is known but its name.
                Optional<Space> before =
                        from + i == 1 ? Optional.empty() : at(from + i - 1).space(path);
                return Optional.of(before.map(Space::properties).orElse(Map.of()));
            }
        }
        return Optional.empty();
    }

    private static FailureException gone(long number, long first) {
        return new FailureException(new Failure(
                Failure.Kind.NOT_FOUND,
                "NoSuchEntryException",
                "The catalog as of entry " + number + " cannot be told any more: the log is kept from entry " + first
                        + " on"));
    }

    private List<EntryCodec.Entry> entries(long from, int count) {
        List<EntryCodec.Entry> read = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<EntryCodec.Entry>> reading = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                long number = from + i;
                reading.add(threads.submit(() -> log.entry(number).orThrow()));
            }
            for (Future<EntryCodec.Entry> one : reading) read.add(one.get());
        } catch (ExecutionException e) {
            if (!(e.getCause() instanceof FailureException known)) {
                throw new FailureException(Failure.Kind.BUG, String.valueOf(e.getCause()));
            }
            throw known.failure().code().equals(ObjectLog.TRUNCATED)
                    ? gone(from, log.span().first())
                    : known;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new FailureException(Failure.Kind.UNAVAILABLE, "stopped while the log was read");
        }
        return read;
    }
}
