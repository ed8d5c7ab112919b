package io.storageengine.ingest.wal;

import io.storageengine.core.Clock;
import io.storageengine.core.Failure;
import io.storageengine.core.Ids;
import io.storageengine.core.log.ObjectLog;
import io.storageengine.core.store.ObjectStore;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// One catalog's write-ahead log in this process: gathers what wants to be durable into entries, one in flight,
/// and tells each in the order of entries. When a log ends (an outcome nobody knew, somebody's seal) the next
/// entry opens a new one.
///
/// Thread-safe. Works on a thread of its own that is there only while something waits: idle, it costs nothing.
public final class WriteAheadLog {
    private static final Logger LOG = LoggerFactory.getLogger(WriteAheadLog.class);
    private static final int ENTRY_BLOCKS_MAX = 10_000;
    private static final int LOGS_MAX = 5;
    private final ObjectStore store;
    private final String prefix;
    private final String process;
    private final WalOptions options;
    private final Clock clock;
    private final RandomGenerator random;
    private final Linger linger;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition rested = lock.newCondition();
    private final Deque<Entrant> waiting = new ArrayDeque<>();
    private long waitingBytes;
    private boolean isClosed;
    private @Nullable Thread worker;
    private @Nullable LogWriter writer;
    private int logs;

    /// @param prefix where the catalog's logs live, `wal/{catalog}/`
    /// @param node a name for this process, first part of its logs' ids; what follows makes them unique
    public WriteAheadLog(
            ObjectStore store, String prefix, String node, WalOptions options, Clock clock, RandomGenerator random) {
        this.store = store;
        this.prefix = prefix;
        this.process = node + "-" + String.format(Locale.ROOT, "%016x", new Ids(random).positiveLong());
        this.options = options;
        this.clock = clock;
        this.random = random;
        this.linger = new Linger(
                options.lingerMillisMin(),
                options.lingerMillisMax(),
                options.entriesPerSecond(),
                options.entriesPerSecond() * 4,
                clock.nanos() / 1_000_000);
    }

    /// Takes it in; it is told later what became of it. False when the log is closed: then it is told nothing.
    public boolean enter(Entrant entrant) {
        lock.lock();
        try {
            if (isClosed) return false;
            waiting.add(entrant);
            waitingBytes += entrant.block().bytes();
            if (worker == null)
                worker = Thread.ofVirtual().name("wal " + prefix).start(this::work);
            return true;
        } finally {
            lock.unlock();
        }
    }

    /// Takes it out again, when it is not being written yet; then it is told nothing.
    public boolean withdraw(Entrant entrant) {
        lock.lock();
        try {
            boolean removed = waiting.remove(entrant);
            if (removed) waitingBytes -= entrant.block().bytes();
            return removed;
        } finally {
            lock.unlock();
        }
    }

    private void work() {
        try {
            for (List<Entrant> group = gather(); !group.isEmpty(); group = gather()) write(group);
        } catch (InterruptedException stopped) {
            rest();
        } catch (RuntimeException | Error bug) {
            LOG.error("The write-ahead log {} broke off", prefix, bug);
            rest();
            throw bug;
        }
    }

    private void rest() {
        lock.lock();
        try {
            worker = null;
            isClosed = true;
            rested.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /// What the next entry holds; nothing when nothing waits, and then the thread ends.
    private List<Entrant> gather() throws InterruptedException {
        if (!hasWork()) return List.of();
        long millis = linger.nextMillis(clock.nanos() / 1_000_000);
        for (long slept = 0; slept < millis && !isFull(); slept += 5) clock.sleep(Math.min(5, millis - slept));
        List<Entrant> group = new ArrayList<>();
        lock.lock();
        try {
            for (long bytes = 0; bytes < options.segmentBytes() && group.size() < ENTRY_BLOCKS_MAX; ) {
                Entrant head = waiting.poll();
                if (head == null) break;
                bytes += head.block().bytes();
                waitingBytes -= head.block().bytes();
                group.add(head);
            }
        } finally {
            lock.unlock();
        }
        return group.isEmpty() ? gather() : group;
    }

    private boolean hasWork() {
        lock.lock();
        try {
            if (!waiting.isEmpty()) return true;
            worker = null;
            rested.signalAll();
            return false;
        } finally {
            lock.unlock();
        }
    }

    private boolean isFull() {
        lock.lock();
        try {
            return waitingBytes >= options.segmentBytes();
        } finally {
            lock.unlock();
        }
    }

    private void write(List<Entrant> wanted) throws InterruptedException {
        List<Entrant> group = wanted;
        for (int tries = 0; tries < LOGS_MAX; tries++) {
            LogWriter to = openWriter();
            group = admitted(group, to.log().id());
            if (group.isEmpty()) return;
            LogWriter.Verdict verdict =
                    to.append(Segment.write(group.stream().map(Entrant::block).toList()));
            if (to.isEnded()) forget(to);
            switch (verdict) {
                case LogWriter.Verdict.Durable(long position) -> {
                    tell(group, new LogPosition(to.log(), position));
                    return;
                }
                case LogWriter.Verdict.Refused(Failure failure) -> {
                    group.forEach(each -> each.refused(failure));
                    return;
                }
                case LogWriter.Verdict.Lapsed ended ->
                    LOG.info("Log {} has ended: a new one goes on", to.log().id());
            }
        }
        Failure sealed = new Failure(Failure.Kind.UNAVAILABLE, "Every new log was sealed by somebody else");
        group.forEach(each -> each.refused(sealed));
    }

    /// Those that may be in that log; the others are refused.
    private static List<Entrant> admitted(List<Entrant> group, String logId) {
        List<Entrant> admitted = new ArrayList<>();
        for (Entrant each : group) {
            Optional<Failure> objection = each.objection(logId);
            if (objection.isPresent()) each.refused(objection.get());
            else admitted.add(each);
        }
        return admitted;
    }

    private static void tell(List<Entrant> group, LogPosition at) {
        group.forEach(each -> each.durable(at));
        at.log().written(at.position() + 1);
    }

    /// The id of the log that the next entry goes to, unless that log ends before. Costs no request.
    public String currentLog() {
        return openWriter().log().id();
    }

    private LogWriter openWriter() {
        lock.lock();
        try {
            LogWriter present = writer;
            if (present != null) return present;
            String id = process + "-" + ++logs;
            String at = prefix + id + "/";
            ObjectLog entries = new ObjectLog(store, at, id, options.log(), clock, random);
            LogWriter opened = new LogWriter(new OpenLog(id, at, store, entries, clock), options, clock, random);
            writer = opened;
            return opened;
        } finally {
            lock.unlock();
        }
    }

    private void forget(LogWriter ended) {
        lock.lock();
        try {
            if (writer == ended) writer = null;
        } finally {
            lock.unlock();
        }
    }

    /// Takes nothing more, waits until all that waits is decided, and seals the log so that the next start need
    /// not. To be called when the tables have committed what they hold. Past the time it is left to the next
    /// start.
    public void close(long graceMillis) throws InterruptedException {
        if (!awaitRest(graceMillis)) {
            halt();
            return;
        }
        LogWriter last = writer;
        writer = null;
        if (last == null || last.isEnded()) return;
        OptionalLong sealed = last.trySeal();
        if (sealed.isEmpty()) return;
        last.log().sealed(sealed.getAsLong());
        last.log().tidy();
    }

    private boolean awaitRest(long graceMillis) throws InterruptedException {
        lock.lock();
        try {
            isClosed = true;
            long left = TimeUnit.MILLISECONDS.toNanos(graceMillis);
            while (worker != null && left > 0) left = rested.awaitNanos(left);
            return worker == null;
        } finally {
            lock.unlock();
        }
    }

    /// Stops at once: what waits is told nothing.
    public void halt() {
        lock.lock();
        try {
            isClosed = true;
            if (worker != null) worker.interrupt();
        } finally {
            lock.unlock();
        }
    }

    /// Whether this is one of the logs that this object has open.
    public boolean isOwn(String logId) {
        return logId.startsWith(process + "-");
    }
}
