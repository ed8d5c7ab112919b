package io.storageengine.catalog.log;

import io.storageengine.catalog.iceberg.Refusals;
import io.storageengine.catalog.state.CatalogState;
import io.storageengine.catalog.state.Change;
import io.storageengine.catalog.state.EntryCodec;
import io.storageengine.catalog.state.Space;
import io.storageengine.catalog.state.StateCodec;
import io.storageengine.core.Failure;
import io.storageengine.core.FailureException;
import io.storageengine.core.Outcome;
import io.storageengine.core.log.Checkpoint;
import io.storageengine.core.log.ObjectLog;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.LongStream;

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

    /// The entries of these numbers, in their order: a GET for each. Those that are kept no longer are left out.
    public Map<Long, EntryCodec.Entry> entries(List<Long> numbers) {
        Map<Long, EntryCodec.Entry> found = new LinkedHashMap<>();
        for (int start = 0; start < numbers.size(); start += AT_ONCE) {
            List<Long> some = numbers.subList(start, Math.min(numbers.size(), start + AT_ONCE));
            List<Outcome<EntryCodec.Entry>> read = read(some);
            for (int i = 0; i < some.size(); i++) {
                Outcome<EntryCodec.Entry> one = read.get(i);
                boolean isGone = one instanceof Outcome.Failed<EntryCodec.Entry>(Failure failure)
                        && failure.code().equals(ObjectLog.TRUNCATED);
                if (!isGone) found.put(some.get(i), one.orThrow());
            }
        }
        return found;
    }

    private List<EntryCodec.Entry> entries(long from, int count) {
        Map<Long, EntryCodec.Entry> found =
                entries(LongStream.range(from, from + count).boxed().toList());
        if (found.size() < count) throw gone(from, log.span().first());
        return List.copyOf(found.values());
    }

    private List<Outcome<EntryCodec.Entry>> read(List<Long> numbers) {
        List<Outcome<EntryCodec.Entry>> read = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Outcome<EntryCodec.Entry>>> reading = numbers.stream()
                    .map(number -> threads.submit(() -> log.entry(number)))
                    .toList();
            for (Future<Outcome<EntryCodec.Entry>> one : reading) read.add(one.get());
        } catch (ExecutionException e) {
            throw e.getCause() instanceof FailureException known
                    ? known
                    : new FailureException(Failure.Kind.BUG, String.valueOf(e.getCause()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new FailureException(Failure.Kind.UNAVAILABLE, "stopped while the log was read");
        }
        return read;
    }
}
