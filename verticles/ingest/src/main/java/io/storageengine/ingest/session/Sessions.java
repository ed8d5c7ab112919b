package io.storageengine.ingest.session;

import io.storageengine.core.Failure;
import io.storageengine.core.FailureException;
import io.storageengine.core.Ids;
import io.storageengine.core.Outcome;
import io.storageengine.core.message.AbortRows;
import io.storageengine.core.message.AbortedRows;
import io.storageengine.core.message.BeginRows;
import io.storageengine.core.message.BegunRows;
import io.storageengine.core.message.Claim;
import io.storageengine.core.message.EndRows;
import io.storageengine.core.message.EndedRows;
import io.storageengine.core.message.FindClaim;
import io.storageengine.core.message.FoundClaim;
import io.storageengine.core.message.RowOptions;
import io.storageengine.core.message.SendRows;
import io.storageengine.core.message.TakenRows;
import io.storageengine.ingest.table.OpenTable;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// The open requests of this process. Thread-safe; calls wait.
public final class Sessions {
    private final ConcurrentHashMap<String, Session> open = new ConcurrentHashMap<>();
    private final Desk desk;
    private final Ids ids;
    private volatile boolean isClosed;

    public Sessions(Desk desk, RandomGenerator random) {
        this.desk = desk;
        this.ids = new Ids(random);
    }

    /// Opens a request, when there is room for one and the table can take it.
    public Outcome<BegunRows> begin(BeginRows begin, Tenant tenant) {
        try {
            checkRoom(begin.options());
            Optional<OpenTable> table = table(begin);
            Session.Work work = work(begin, tenant, table.orElse(null));
            return Outcome.ok(new BegunRows(start(work)));
        } catch (FailureException refused) {
            return Outcome.failed(refused.failure());
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
            return Outcome.failed(Failure.Kind.UNAVAILABLE, "The node is stopping");
        }
    }

    private void checkRoom(RowOptions options) {
        if (isClosed) throw new FailureException(Failure.Kind.UNAVAILABLE, "The node is stopping");
        if (open.size() >= desk.options().sessionsMax() || desk.memory().isTight())
            throw new FailureException(Failure.Kind.THROTTLED, "Too many rows wait: try again later");
        boolean isWhole = options.onError() == RowOptions.OnError.REFUSE;
        boolean isPlain = options.encoding() == RowOptions.Encoding.IDENTITY;
        if (isWhole && isPlain && options.contentLength() > desk.options().atomicBytesMax())
            throw new FailureException(BodyMeter.tooLarge(desk.options().atomicBytesMax()));
    }

    private Optional<OpenTable> table(BeginRows begin) {
        Outcome<OpenTable> loaded = desk.tables().load(begin.table());
        if (loaded instanceof Outcome.Failed<OpenTable>(Failure failure) && mayCreate(begin, failure))
            return Optional.empty();
        OpenTable table = loaded.orThrow();
        Request.refusal(table).ifPresent(failure -> {
            throw new FailureException(failure);
        });
        if (desk.buffers().isFull(table.uuid()))
            throw new FailureException(
                    Failure.Kind.THROTTLED,
                    "Too many rows of " + begin.table().display() + " wait to be committed: try again later");
        return Optional.of(table);
    }

    private static boolean mayCreate(BeginRows begin, Failure failure) {
        return begin.options().create()
                && begin.options().channel().isEmpty()
                && failure.kind() == Failure.Kind.NOT_FOUND
                && !failure.code().equals("NoSuchCatalogException");
    }

    private Session.Work work(BeginRows begin, Tenant tenant, @Nullable OpenTable table) throws InterruptedException {
        RowOptions options = begin.options();
        options.channel().ifPresent(in -> ChannelCalls.checkName(in.name()));
        if (options.channel().isPresent() && !options.idempotencyKey().isEmpty())
            throw new FailureException(
                    Failure.Kind.INVALID,
                    "Rows of a channel need no Idempotency-Key: their offset tells what came before");
        if (options.idempotencyKey().isEmpty())
            return body -> new Request(desk, tenant, begin.table(), options, null, table).run(body);
        while (true) {
            Keys.Place place = tenant.keys().enter(begin.table(), options.idempotencyKey());
            Optional<Keys.Taken> taken = place.isMine() ? claimed(place, begin, table) : decided(place);
            if (taken.isPresent() && (table == null || taken.get().tableUuid().equals(table.uuid()))) {
                Keys.Taken before = taken.get();
                return body -> new Repeat(desk, begin.table(), options, before).run(body);
            }
            if (place.isMine())
                return body -> new Request(desk, tenant, begin.table(), options, place.entry(), table).run(body);
            tenant.keys().forget(place.entry());
        }
    }

    /// What the catalog knows of a key that is new here; then the place is not needed.
    private Optional<Keys.Taken> claimed(Keys.Place place, BeginRows begin, @Nullable OpenTable table) {
        if (table == null) return Optional.empty();
        String key = begin.options().idempotencyKey();
        Outcome<FoundClaim> found =
                desk.ask().ask(new FindClaim(begin.table(), table.uuid(), key), desk.askTimeoutMillis());
        if (found instanceof Outcome.Ok<FoundClaim>(FoundClaim none)
                && none.claim().isEmpty()) return Optional.empty();
        place.entry().release();
        FoundClaim answer = found.orThrow();
        return answer.claim().map(claim -> taken(table, claim, answer.snapshotId()));
    }

    private static Keys.Taken taken(OpenTable table, Claim claim, long snapshotId) {
        return new Keys.Taken(
                table.uuid(),
                claim.requestHash(),
                claim.answer(),
                CompletableFuture.completedFuture(Outcome.ok(snapshotId)));
    }

    /// Two at once: the second waits for the first.
    private Optional<Keys.Taken> decided(Keys.Place place) throws InterruptedException {
        try {
            return place.entry().decided().get(desk.options().roomMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException late) {
            throw new FailureException(
                    Failure.Kind.THROTTLED, "A request with this Idempotency-Key is under way: try again later");
        } catch (ExecutionException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private String start(Session.Work work) {
        String id = ids.uuid().toString();
        SessionOptions options = desk.options();
        BodyPipe pipe = new BodyPipe(desk.memory(), options.idleMillis(), options.roomMillis());
        Session session = new Session(pipe, work, options.idleMillis());
        open.put(id, session);
        Thread.ofVirtual().name("rows " + id).start(() -> {
            try {
                session.run();
            } finally {
                open.remove(id);
            }
        });
        return id;
    }

    public Outcome<TakenRows> send(SendRows rows) {
        return find(rows.session()).then(session -> session.send(rows.bytes()));
    }

    public Outcome<EndedRows> end(EndRows end) {
        return find(end.session()).then(Session::end);
    }

    public Outcome<AbortedRows> abort(AbortRows abort) {
        Failure why = new Failure(Failure.Kind.INVALID, "The request was aborted");
        return find(abort.session()).then(session -> session.abort(why));
    }

    private Outcome<Session> find(String id) {
        Session session = open.get(id);
        return session == null
                ? Outcome.failed(
                        Failure.Kind.NOT_FOUND, "NoSuchSession", "No such request, or it was idle for too long")
                : Outcome.ok(session);
    }

    /// Begins no more; answers when the open ones are done, or breaks them off when their time is over.
    public void close(long graceMillis) throws InterruptedException {
        isClosed = true;
        long end = desk.clock().nanos() + graceMillis * 1_000_000;
        while (!open.isEmpty() && desk.clock().nanos() - end < 0) desk.clock().sleep(10);
        halt();
    }

    /// Breaks off what is open.
    public void halt() {
        isClosed = true;
        Failure stopping = new Failure(Failure.Kind.UNAVAILABLE, "The node is stopping");
        open.values().forEach(session -> session.abort(stopping));
    }

    /// Whether a request is open.
    public boolean isIdle() {
        return open.isEmpty();
    }
}
