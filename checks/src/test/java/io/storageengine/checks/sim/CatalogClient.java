package io.storageengine.checks.sim;

import io.storageengine.catalog.log.CatalogLog;
import io.storageengine.catalog.log.CatalogLogOptions;
import io.storageengine.catalog.state.CatalogState;
import io.storageengine.catalog.state.Command;
import io.storageengine.catalog.state.Decision;
import io.storageengine.catalog.state.KeptReply;
import io.storageengine.catalog.state.RequestKey;
import io.storageengine.catalog.state.TableName;
import io.storageengine.catalog.state.TableState;
import io.storageengine.core.Failure;
import io.storageengine.core.FailureException;
import io.storageengine.core.Outcome;
import io.storageengine.core.log.ObjectLog;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// An owner of a catalog's log, and the client that it serves.
final class CatalogClient implements Runnable {
    private static final String SPACE = "s";
    private static final int TABLES = 3;
    private static final int TRIES_MAX = 6;

    private final SimProcess process;
    private final World world;
    private final SimDisk disk;
    private final CatalogVariant variant;
    private final CatalogChecker checker;
    private final CatalogLog log;
    private int left;
    private int acked;
    private @Nullable Request open;

    /// What the client wants done once.
    ///
    /// @param token the metadata location that all of its tables get: no other request's
    record Request(String token, List<Command.TableCommit> tables, RequestKey key) {}

    CatalogClient(SimProcess process, SimDisk disk, CatalogVariant variant, CatalogChecker checker, int requests) {
        this.process = process;
        this.world = process.world();
        this.disk = disk;
        this.variant = variant;
        this.checker = checker;
        this.left = requests;
        ObjectLog entries = new ObjectLog(
                variant.store(disk, process),
                CatalogSimulation.PREFIX,
                process.name(),
                variant.options(),
                process,
                world.random());
        this.log = new CatalogLog(entries, new CatalogLogOptions(false, 5, 10), process);
    }

    SimProcess process() {
        return process;
    }

    int acked() {
        return acked;
    }

    /// The same client with another owner, and the request with a key that it has no answer to; what became
    /// of one without a key it will not know.
    CatalogClient reborn(SimProcess next) {
        CatalogClient client = new CatalogClient(next, disk, variant, checker, left);
        if (open != null && !open.key().isNone()) client.open = open;
        return client;
    }

    static UUID uuid(int table) {
        return new UUID(1, table);
    }

    private static TableName name(int table) {
        return new TableName(SPACE, "t" + table);
    }

    void makeTables() {
        log.submit(new Command.CreateSpace(SPACE, Map.of())).orThrow();
        for (int i = 0; i < TABLES; i++)
            log.submit(new Command.CreateTable(name(i), uuid(i), "", false)).orThrow();
    }

    @Override
    public void run() {
        Request unanswered = open;
        if (unanswered != null) seeThrough(unanswered);
        while (left > 0) {
            left--;
            process.sleep(1 + world.random().nextLong(300));
            List<Integer> tables = tables();
            CatalogState state = read();
            if (state != null) seeThrough(request(state, tables));
        }
    }

    private List<Integer> tables() {
        int first = world.random().nextInt(TABLES);
        return world.random().nextBoolean() ? List.of(first) : List.of(first, (first + 1) % TABLES);
    }

    private @Nullable CatalogState read() {
        for (int i = 0; i < TRIES_MAX; i++) {
            try {
                long began = world.nanos();
                CatalogState state = variant == CatalogVariant.READS_STALE ? log.latest() : log.state();
                for (int table = 0; table < TABLES; table++) {
                    TableState seen = state.table(uuid(table)).orElseThrow();
                    checker.read(process.name(), seen.uuid(), seen.metadataLocation(), began);
                }
                return state;
            } catch (FailureException away) {
                process.sleep(50);
            }
        }
        return null;
    }

    private Request request(CatalogState state, List<Integer> tables) {
        String token = process.name() + "#" + left;
        List<Command.TableCommit> parts = new ArrayList<>();
        for (int table : tables) {
            String expected = state.table(uuid(table)).orElseThrow().metadataLocation();
            parts.add(new Command.TableCommit(name(table), true, uuid(table), expected, token, List.of(), List.of()));
        }
        boolean hasKey = world.random().nextBoolean() && variant != CatalogVariant.SPLITS_TRANSACTIONS;
        RequestKey key = hasKey ? new RequestKey(token, "hash of it", "") : RequestKey.NONE;
        Request request = new Request(token, parts, key);
        checker.trying(request, world.nanos());
        open = request;
        return request;
    }

    /// Sends a request until its fate is known; one without a key only once.
    private void seeThrough(Request request) {
        for (int i = 0; i < TRIES_MAX && open != null; i++) {
            Outcome<Decision> outcome = send(request, i > 0);
            switch (outcome) {
                case Outcome.Ok<Decision>(Decision.Accepted accepted) -> done(request);
                case Outcome.Ok<Decision>(Decision.Replayed(KeptReply reply, var changes)) -> {
                    if (reply.failure().isEmpty()) done(request);
                    else denied(request);
                }
                case Outcome.Ok<Decision>(Decision.Refused refused) -> denied(request);
                case Outcome.Failed<Decision>(Failure failure) -> failed(request, failure);
            }
        }
        open = null;
    }

    private Outcome<Decision> send(Request request, boolean isRepeat) {
        if (variant == CatalogVariant.SPLITS_TRANSACTIONS && request.tables().size() > 1) {
            Outcome<Decision> first =
                    log.submit(new Command.CommitTables(request.tables().subList(0, 1)));
            if (!(first instanceof Outcome.Ok<Decision>(Decision.Accepted accepted))) return first;
            return log.submit(new Command.CommitTables(request.tables().subList(1, 2)));
        }
        if (variant == CatalogVariant.FORGETS_KEYS && isRepeat) return log.submit(onPresentState(request));
        Command commit = new Command.CommitTables(request.tables());
        return log.submit(request.key().isNone() ? commit : new Command.Keyed(commit, request.key(), request.token()));
    }

    private Command onPresentState(Request request) {
        CatalogState state = log.latest();
        return new Command.CommitTables(request.tables().stream()
                .map(part -> new Command.TableCommit(
                        part.table(),
                        true,
                        part.uuid(),
                        state.table(part.uuid()).orElseThrow().metadataLocation(),
                        part.location(),
                        List.of(),
                        List.of()))
                .toList());
    }

    private void done(Request request) {
        acked++;
        checker.acked(request, world.nanos());
        // A client that did not hear the answer asks once more: nothing more must come of it.
        if (!request.key().isNone() && world.chance(0.3)) {
            Outcome<Decision> again = send(request, false);
            boolean isSame = !(again instanceof Outcome.Ok<Decision>(Decision decision))
                    || (decision instanceof Decision.Replayed replayed
                            && replayed.reply().failure().isEmpty());
            LogChecker.demand(isSame, request.token(), "was done, and its repeat answered", again);
        }
        open = null;
    }

    private void denied(Request request) {
        checker.denied(request);
        open = null;
    }

    private void failed(Request request, Failure failure) {
        boolean isUnknown = failure.kind() == Failure.Kind.UNKNOWN;
        if (isUnknown && variant == CatalogVariant.ANSWERS_EARLY) {
            done(request);
        } else if (request.key().isNone()) {
            if (!isUnknown || variant == CatalogVariant.UNKNOWN_IS_FAILURE) checker.denied(request);
            open = null;
        } else {
            process.sleep(50);
        }
    }
}
