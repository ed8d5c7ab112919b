package io.storageengine.checks.sim;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// What a log promised its users, held against what every number was first created with.
final class LogChecker {
    private final SimDisk disk;
    private final String prefix;
    private final boolean sealIsTerminal;
    private final Map<String, Fate> fates = new LinkedHashMap<>();
    private final Map<Long, Acked> acked = new TreeMap<>();

    LogChecker(SimDisk disk, String prefix, boolean sealIsTerminal) {
        this.disk = disk;
        this.prefix = prefix;
        this.sealIsTerminal = sealIsTerminal;
    }

    private enum Fate {
        UNKNOWN,
        ACKED,
        DENIED
    }

    private record Acked(String payload, long epoch) {}

    /// A payload is on its way; whether it counts is open until its writer is told.
    void trying(String payload) {
        fates.put(payload, Fate.UNKNOWN);
    }

    void denied(String payload) {
        fates.put(payload, Fate.DENIED);
    }

    void acked(long position, String payload, long epoch) {
        fates.put(payload, Fate.ACKED);
        Acked other = acked.put(position, new Acked(payload, epoch));
        demand(other == null, "number", position, "was acknowledged twice:", payload);
    }

    int ackedCount() {
        return acked.size();
    }

    /// Somebody takes this for entry number `position`.
    void believes(String who, long position, RawEntry entry) {
        RawEntry real = real(position);
        demand(entry.equals(real), who, "takes", entry, "for entry", position, "which is", real);
    }

    RawEntry real(long position) {
        ByteBuffer bytes = disk.first(key(position));
        if (bytes == null) throw new AssertionError("entry " + position + " was never created");
        return RawEntry.of(bytes);
    }

    private String key(long position) {
        return prefix + "log/" + String.format(Locale.ROOT, "%020d", position);
    }

    /// All entries that ever counted, in order: up to the first gap, and to the final seal where there is one.
    List<RawEntry> log() {
        List<RawEntry> all = new ArrayList<>();
        while (disk.first(key(all.size() + 1)) != null) {
            all.add(real(all.size() + 1));
            if (sealIsTerminal && all.getLast().seal()) break;
        }
        return all;
    }

    /// Somebody holds that the log ended with a seal at `position`.
    void ended(String who, long position) {
        List<RawEntry> log = log();
        boolean right = log.size() == position && log.getLast().seal();
        demand(right, who, "takes", position, "for the end of a log that ends at", log.size());
    }

    /// At the end: acknowledged exactly once and where it was said, the unknown at most once, the denied never.
    void finish() {
        List<RawEntry> log = log();
        acked.forEach((position, said) -> {
            demand(position <= log.size(), "acknowledged entry", position, "lies behind a gap or the final seal");
            String there = log.get((int) (position - 1)).payload();
            demand(there.equals(said.payload), said, "was acknowledged as entry", position, "which is", there);
        });
        fates.forEach((payload, fate) -> {
            long times = log.stream().filter(e -> e.payload().equals(payload)).count();
            boolean right = switch (fate) {
                case ACKED -> times == 1;
                case UNKNOWN -> times <= 1;
                case DENIED -> times == 0;
            };
            demand(right, fate, payload, "is in the log", times, "times");
        });
        noneAfterItsSeal(log);
    }

    private void noneAfterItsSeal(List<RawEntry> log) {
        long sealed = 0;
        for (int i = 0; i < log.size(); i++) {
            Acked said = acked.get(i + 1L);
            if (said != null)
                demand(said.epoch >= sealed, said, "as entry", i + 1, "lies above a seal of epoch", sealed);
            if (log.get(i).seal()) sealed = Math.max(sealed, log.get(i).epoch());
        }
    }

    static void demand(boolean holds, Object... words) {
        if (holds) return;
        throw new AssertionError(Stream.of(words).map(Object::toString).collect(Collectors.joining(" ")));
    }
}
