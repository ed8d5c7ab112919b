package io.storageengine.core.log;

import io.storageengine.core.Done;
import io.storageengine.core.Failure;
import io.storageengine.core.Outcome;
import io.storageengine.core.store.ObjectInfo;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/// Keeps a log short: checkpoints and truncation.
///
/// Truncation takes two calls, the retention apart: the first moves the boundary, a later one deletes what lies
/// below it. In between nobody believes in anything below, and everybody who looked before has either
/// finished or looks again.
final class LogKeeper {
    private static final int CHECKPOINTS_KEPT = 2;
    private static final long SPAN = 2_000;
    private static final int SPANS_KEPT = 7;

    private final LogObjects objects;
    private final LogReader reader;
    private final LogOptions options;

    LogKeeper(LogObjects objects, LogReader reader, LogOptions options) {
        this.objects = objects;
        this.reader = reader;
        this.options = options;
    }

    Outcome<Done> checkpoint(Header header, ByteBuffer state) {
        return switch (objects.createCheckpoint(header, state)) {
            case Outcome.Ok<ObjectInfo> created -> prune();
            case Outcome.Failed<ObjectInfo>(Failure failure) ->
                failure.code().equals("PreconditionFailed") ? Outcome.done() : Outcome.failed(failure);
        };
    }

    /// Once the checkpoint is durable a failure here costs only room: the next one tries again.
    private Outcome<Done> prune() {
        if (objects.checkpoints() instanceof Outcome.Ok<List<Long>>(List<Long> all)) {
            objects.deleteCheckpoints(doomed(all));
        }
        return Outcome.done();
    }

    /// @param all positions, ascending
    private static List<Long> doomed(List<Long> all) {
        List<Long> old = all.subList(0, Math.max(0, all.size() - CHECKPOINTS_KEPT));
        Map<Long, Long> spans = new TreeMap<>();
        all.forEach(position -> spans.putIfAbsent(position / SPAN, position));
        Set<Long> kept = new HashSet<>(spans.values().stream()
                .skip(Math.max(0, spans.size() - SPANS_KEPT))
                .toList());
        return old.stream().filter(position -> !kept.contains(position)).toList();
    }

    Outcome<Optional<Checkpoint>> checkpointUpTo(long position) {
        return objects.checkpoints().then(all -> {
            Optional<Long> found = all.stream().filter(at -> at <= position).reduce((a, b) -> b);
            if (found.isEmpty()) return Outcome.ok(Optional.empty());
            return objects.checkpoint(found.get())
                    .map(stored -> Optional.of(new Checkpoint(stored.header().position(), stored.payload())));
        });
    }

    /// The highest boundary that a wish allows: what a checkpoint covers, or what lies before the final seal.
    Outcome<Long> limit(long below) {
        if (!options.sealIsTerminal()) {
            return objects.checkpoints().map(all -> Math.min(below, all.isEmpty() ? 1 : all.getLast() + 1));
        }
        long sealedAt = reader.view().sealedAt();
        return Outcome.ok(sealedAt > 0 ? Math.min(below, sealedAt) : below);
    }

    /// @param mark the boundary wished for
    Outcome<Done> truncate(Header mark) {
        return reader.boundary().then(boundary -> {
            if (isEnded()) return move(boundary, mark).then(objects::deleteEntriesBelow);
            if (mark.wallMillis() - boundary.wallMillis() < options.retentionMillis()) return Outcome.done();
            return objects.deleteEntriesBelow(boundary.below())
                    .then(ignored -> move(boundary, mark).map(moved -> Done.DONE));
        });
    }

    /// Nobody writes below a final seal any more but the one writer that repeats what stood there: no
    /// retention.
    private boolean isEnded() {
        return options.sealIsTerminal() && reader.view().sealedAt() > 0;
    }

    private Outcome<Long> move(Boundary from, Header mark) {
        if (mark.position() <= from.below()) return Outcome.ok(from.below());
        return switch (objects.moveBoundary(from, mark)) {
            case Outcome.Ok<ObjectInfo> moved -> Outcome.ok(mark.position());
            case Outcome.Failed<ObjectInfo>(Failure failure) ->
                reader.boundary()
                        .then(now ->
                                now.below() >= mark.position() ? Outcome.ok(now.below()) : Outcome.failed(failure));
        };
    }
}
