package io.storageengine.checks.sim;

import static io.storageengine.checks.sim.LogChecker.demand;

import io.storageengine.catalog.state.Change;
import io.storageengine.catalog.state.Command;
import io.storageengine.catalog.state.EntryCodec;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/// What a catalog promised its clients, held against the log as it was written: every commit is a
/// compare-and-set of its tables that happens at one entry, between its request and its answer.
final class CatalogChecker {
    private final LogChecker log;
    private final Map<String, Told> told = new LinkedHashMap<>();
    private final List<Read> reads = new ArrayList<>();

    /// What a client knows of its request.
    private static final class Told {
        private final CatalogClient.Request request;
        private final long beganNanos;
        private long ackedNanos = Long.MAX_VALUE;
        private boolean isDenied;

        Told(CatalogClient.Request request, long beganNanos) {
            this.request = request;
            this.beganNanos = beganNanos;
        }

        boolean isAcked() {
            return ackedNanos < Long.MAX_VALUE;
        }
    }

    private record Read(String who, UUID table, String location, long beganNanos) {}

    /// One commit of a table as the log has it.
    private record Done(int entry, UUID table, String before, String location) {}

    CatalogChecker(LogChecker log) {
        this.log = log;
    }

    void trying(CatalogClient.Request request, long nanos) {
        told.put(request.token(), new Told(request, nanos));
    }

    void acked(CatalogClient.Request request, long nanos) {
        Told of = told(request);
        demand(!of.isDenied, request.token(), "was refused, and then acknowledged");
        if (!of.isAcked()) of.ackedNanos = nanos;
    }

    void denied(CatalogClient.Request request) {
        Told of = told(request);
        demand(!of.isAcked(), request.token(), "was acknowledged, and then refused");
        of.isDenied = true;
    }

    private Told told(CatalogClient.Request request) {
        Told of = told.get(request.token());
        if (of == null) throw new IllegalStateException("nobody sent " + request.token());
        return of;
    }

    void read(String who, UUID table, String location, long beganNanos) {
        reads.add(new Read(who, table, location, beganNanos));
    }

    void finish() {
        Map<String, List<Done>> commits = new HashMap<>();
        Map<UUID, String> now = new HashMap<>();
        List<RawEntry> entries = log.log();
        for (int i = 0; i < entries.size(); i++) {
            if (entries.get(i).seal()) continue;
            ByteBuffer payload = ByteBuffer.wrap(entries.get(i).payload().getBytes(StandardCharsets.UTF_8));
            for (Change change : EntryCodec.decode(payload).changes()) {
                if (!(change instanceof Change.TableCommitted c)) continue;
                String before = now.getOrDefault(c.uuid(), "");
                Done done = new Done(i, c.uuid(), before, c.location());
                commits.computeIfAbsent(c.location(), token -> new ArrayList<>())
                        .add(done);
                now.put(c.uuid(), c.location());
            }
        }
        told.values().forEach(of -> fate(of, commits.getOrDefault(of.request.token(), List.of())));
        inRealTime(commits);
        readsNeverGoBack(commits);
    }

    /// All of it once in one entry, or nothing of it.
    private static void fate(Told of, List<Done> done) {
        String token = of.request.token();
        if (of.isAcked()) demand(!done.isEmpty(), token, "was acknowledged and is lost");
        if (of.isDenied) demand(done.isEmpty(), token, "was refused and is done");
        if (done.isEmpty()) return;
        demand(
                done.size() == of.request.tables().size(),
                token,
                "is done",
                done.size(),
                "times of",
                of.request.tables().size());
        for (Done one : done) {
            demand(one.entry() == done.getFirst().entry(), token, "is in two entries");
            Command.TableCommit wanted = of.request.tables().stream()
                    .filter(part -> part.uuid().equals(one.table()))
                    .findFirst()
                    .orElseThrow(() -> new AssertionError(token + " is done to another table"));
            demand(
                    wanted.expectedLocation().equals(one.before()),
                    token,
                    "was made on",
                    wanted.expectedLocation(),
                    "and put on",
                    one.before());
        }
    }

    /// What was acknowledged before another began comes before it.
    private void inRealTime(Map<String, List<Done>> commits) {
        for (Told earlier : told.values()) {
            if (!earlier.isAcked()) continue;
            int at = commits.getOrDefault(earlier.request.token(), List.of())
                    .getFirst()
                    .entry();
            for (Told later : told.values()) {
                List<Done> done = commits.getOrDefault(later.request.token(), List.of());
                if (done.isEmpty() || later.beganNanos <= earlier.ackedNanos) continue;
                demand(
                        done.getFirst().entry() > at,
                        later.request.token(),
                        "began after",
                        earlier.request.token(),
                        "and comes before it");
            }
        }
    }

    /// A read finds at least what was acknowledged to anybody before it began, and what its reader found
    /// before.
    private void readsNeverGoBack(Map<String, List<Done>> commits) {
        Map<String, Integer> seen = new HashMap<>();
        for (Read read : reads) {
            int at = entry(commits, read.location(), read.table());
            String reader = read.who() + read.table();
            demand(at >= seen.getOrDefault(reader, -1), read, "goes back behind an earlier read");
            seen.put(reader, at);
            for (Told of : told.values()) {
                if (of.ackedNanos >= read.beganNanos()) continue;
                int acked = entry(commits, of.request.token(), read.table());
                demand(at >= acked, read, "does not find", of.request.token());
            }
        }
    }

    /// The entry that gave the table that location; -1 when none did.
    private static int entry(Map<String, List<Done>> commits, String location, UUID table) {
        return commits.getOrDefault(location, List.of()).stream()
                .filter(done -> done.table().equals(table))
                .mapToInt(Done::entry)
                .findFirst()
                .orElse(-1);
    }
}
