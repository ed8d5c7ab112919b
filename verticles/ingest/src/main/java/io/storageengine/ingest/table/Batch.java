package io.storageengine.ingest.table;

import io.storageengine.core.Outcome;
import io.storageengine.core.message.Claim;
import io.storageengine.core.message.CommitFiles;
import io.storageengine.core.message.TableRef;
import io.storageengine.core.message.Watermark;
import io.storageengine.ingest.rows.RowBatch;
import io.storageengine.ingest.wal.Block;
import io.storageengine.ingest.wal.LogPosition;
import io.storageengine.ingest.wal.OpenLog;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Rows of one table and one log that are committed together: all that the table has in the entries between its
/// mark and [#next]. For one thread.
final class Batch {
    private final OpenLog log;
    private final TableRef table;
    private final String uuid;
    private final long next;
    private final List<Arrival> arrivals;
    private @Nullable List<String> files;
    private boolean isSettled;

    /// @param arrivals in the order of entries, at least one
    Batch(List<Arrival> arrivals) {
        this.arrivals = new ArrayList<>(arrivals);
        this.log = arrivals.getFirst().at().log();
        this.table = arrivals.getLast().block().table();
        this.uuid = arrivals.getLast().block().tableUuid();
        this.next = arrivals.getLast().at().position();
    }

    TableRef table() {
        return table;
    }

    String uuid() {
        return uuid;
    }

    OpenLog log() {
        return log;
    }

    /// The last entry that it covers.
    long next() {
        return next;
    }

    List<Arrival> arrivals() {
        return arrivals;
    }

    /// When the youngest of its rows were taken, in wall milliseconds.
    long takenMillis() {
        return arrivals.stream()
                .mapToLong(arrival -> arrival.block().wallMillis())
                .max()
                .orElse(0);
    }

    /// Whether nothing of it is left to do.
    boolean isSettled() {
        return isSettled;
    }

    /// Whether all of its rows are in data files.
    boolean isWritten() {
        return files != null;
    }

    void written(List<String> dataFiles) {
        files = dataFiles;
    }

    /// Rows that are still to be encoded.
    List<RowBatch> rows() {
        List<RowBatch> rows = new ArrayList<>();
        for (Arrival arrival : arrivals) {
            RowBatch batch = arrival.batch();
            if (batch != null) rows.add(batch);
        }
        return rows;
    }

    /// Files that came as files.
    List<String> spooled() {
        List<String> spooled = new ArrayList<>();
        for (Arrival arrival : arrivals)
            if (arrival.block().body() instanceof Block.Files(List<String> names)) spooled.addAll(names);
        return spooled;
    }

    CommitFiles question() {
        List<String> all = new ArrayList<>(spooled());
        if (files != null) all.addAll(files);
        return new CommitFiles(table, uuid, all, marks(), claims());
    }

    /// The log's mark, and those of the channels whose rows these are.
    private List<Watermark> marks() {
        Map<String, Watermark> marks = new LinkedHashMap<>();
        marks.put(log.id(), new Watermark(log.id(), log.mark(uuid), next));
        for (Arrival arrival : arrivals)
            arrival.block()
                    .part()
                    .ifPresent(part -> part.marks().forEach(mark -> marks.merge(mark.log(), mark, Batch::joined)));
        return List.copyOf(marks.values());
    }

    private static Watermark joined(Watermark first, Watermark second) {
        if (first.next() != second.expected())
            throw new IllegalStateException(
                    first.log() + " is at " + first.next() + " before rows at " + second.expected());
        return new Watermark(first.log(), first.expected(), second.next());
    }

    List<Claim> claims() {
        List<Claim> claims = new ArrayList<>();
        for (Arrival arrival : arrivals) arrival.block().key().ifPresent(key -> claims.add(claim(key, arrival)));
        return claims;
    }

    private Claim claim(Block.RequestKey key, Arrival arrival) {
        LogPosition at = arrival.at();
        return new Claim(
                key.key(),
                key.hash(),
                log.id(),
                at.position(),
                key.answer(at),
                arrival.block().wallMillis());
    }

    /// Takes rows out that are in the table already; the rest has to be encoded anew.
    void settle(Predicate<Arrival> which, Outcome<Long> snapshot) {
        List<Arrival> settled = arrivals.stream().filter(which).toList();
        if (settled.isEmpty()) return;
        arrivals.removeAll(settled);
        files = null;
        settled.forEach(arrival -> arrival.settle(snapshot));
    }

    /// Takes rows out below the log's mark: they came after another node had brought them in, with rows before
    /// them.
    void settleCommitted() {
        long mark = log.mark(uuid);
        if (mark >= next) settle(Arrival.COMMITTED_BEFORE);
        else settle(arrival -> arrival.at().position() <= mark, Arrival.COMMITTED_BEFORE);
    }

    /// All of it is done with.
    void settle(Outcome<Long> snapshot) {
        isSettled = true;
        log.mark(uuid, next);
        arrivals.forEach(arrival -> arrival.settle(snapshot));
        arrivals.clear();
    }

    /// Gives the memory back without an outcome, when the node breaks off.
    void free() {
        arrivals.forEach(Arrival::free);
        arrivals.clear();
    }
}
