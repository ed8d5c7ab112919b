package io.storageengine.ingest.session;

import io.storageengine.core.Failure;
import io.storageengine.core.FailureException;
import io.storageengine.core.Outcome;
import io.storageengine.core.message.ChannelHold;
import io.storageengine.core.message.FindClaim;
import io.storageengine.core.message.FoundClaim;
import io.storageengine.core.message.ListParked;
import io.storageengine.core.message.ParkedRows;
import io.storageengine.core.message.ReplayParked;
import io.storageengine.core.message.ReplayedRows;
import io.storageengine.core.message.TableRef;
import io.storageengine.core.store.ListPage;
import io.storageengine.core.store.ListRequest;
import io.storageengine.core.store.ObjectInfo;
import io.storageengine.core.store.ObjectStore;
import io.storageengine.ingest.channel.RowsTurn;
import io.storageengine.ingest.rows.RowBatch;
import io.storageengine.ingest.table.Arrival;
import io.storageengine.ingest.table.OpenTable;
import io.storageengine.ingest.table.Parking;
import io.storageengine.ingest.wal.Block;
import io.storageengine.ingest.wal.LogPosition;
import io.storageengine.ingest.wal.Segment;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.iceberg.Schema;
import org.jspecify.annotations.Nullable;

/// Parked rows of one catalog ([Parking]): listed, and put into their table once it is back. A replay is a request
/// with a key of its own, or with the offsets that the rows had in their channel: done twice, it adds them once.
/// Failures are thrown as [FailureException].
public record ParkedShelf(ObjectStore store, Desk desk, Tenant tenant) {
    private static final int UUID_CHARACTERS = 36;

    /// One GET for each.
    public ParkedRows list(ListParked question) {
        String root = Parking.prefix(question.catalog());
        ListPage page = store.list(new ListRequest(root, "", question.after(), question.max()))
                .orThrow();
        List<ParkedRows.Parked> parked = new ArrayList<>();
        for (ObjectInfo object : page.objects()) {
            String id = object.key().substring(root.length()).replace('/', '.');
            block(object.key()).ifPresent(block -> parked.add(parked(id, block)));
        }
        return new ParkedRows(parked, page.isLast() ? "" : page.next());
    }

    private static ParkedRows.Parked parked(String id, Block block) {
        return new ParkedRows.Parked(
                id,
                block.table(),
                block.tableUuid(),
                block.rows(),
                block.wallMillis(),
                block.part().map(Block.ChannelPart::channel).orElse(""));
    }

    /// Empty when there is none.
    private Optional<Block> block(String key) {
        Outcome<ByteBuffer> read = store.read(key);
        if (read.failedWith(Failure.Kind.NOT_FOUND)) return Optional.empty();
        return Optional.of(Segment.read(read.orThrow()).getFirst());
    }

    public ReplayedRows replay(ReplayParked question) throws InterruptedException {
        String id = question.id();
        boolean isId = id.length() > UUID_CHARACTERS && id.charAt(UUID_CHARACTERS) == '.' && !id.contains("/");
        String key = Parking.prefix(question.catalog())
                + (isId ? id.substring(0, UUID_CHARACTERS) + "/" + id.substring(UUID_CHARACTERS + 1) : id);
        Block block = (isId ? block(key) : Optional.<Block>empty())
                .orElseThrow(
                        () -> refused(Failure.Kind.NOT_FOUND, "NoSuchParkedRowsException", "No parked rows: " + id));
        OpenTable table = table(block);
        ReplayedRows replayed =
                Parking.isCommitted(key, table) ? new ReplayedRows(0, "") : replay(block, table, "parked/" + id);
        // If this fails the rows are there all the same, and another replay finds them so.
        store.delete(key).orThrow();
        return replayed;
    }

    private OpenTable table(Block block) {
        Outcome<OpenTable> loaded = desk.tables().load(block.table(), block.tableUuid());
        boolean isThere = loaded instanceof Outcome.Ok<OpenTable>(OpenTable table)
                && table.uuid().equals(block.tableUuid());
        if (isThere) return loaded.orThrow();
        if (!loaded.isOk() && !loaded.failedWith(Failure.Kind.NOT_FOUND)) loaded.orThrow();
        throw refused(
                Failure.Kind.CONFLICT,
                "TableGoneException",
                "The table " + block.table().display() + " with uuid " + block.tableUuid()
                        + " is gone: restore it, then replay its rows");
    }

    private ReplayedRows replay(Block block, OpenTable table, String key) throws InterruptedException {
        Optional<ChannelHold> hold = block.part()
                .flatMap(part ->
                        tenant.channels().holder(table, part.channel()).filter(holder -> holder.life() == part.life()));
        return hold.isPresent()
                ? inChannel(block, table, hold.get().epoch(), block.part().orElseThrow())
                : keyed(block, table, key);
    }

    private ReplayedRows inChannel(Block block, OpenTable table, long epoch, Block.ChannelPart part)
            throws InterruptedException {
        long logMillis = desk.options().logMillis();
        try (RowsTurn turn = RowsTurn.enter(
                tenant.channels(), table, part.channel(), epoch, OptionalLong.of(part.from()), logMillis)) {
            Optional<Block.ChannelPart> rest = turn.part(part.to() - part.from(), part.rejected());
            if (rest.isEmpty()) {
                turn.awaitDurable(part.to());
                return new ReplayedRows(0, "");
            }
            if (turn.repeated() > 0)
                throw refused(
                        Failure.Kind.CONFLICT,
                        "OffsetsTakenException",
                        "Some of these rows' offsets in channel " + part.channel() + ", and not all, were sent again");
            Arrival arrival = arrival(block, table, Optional.empty(), rest);
            turn.send(arrival);
            return logged(arrival, turn);
        }
    }

    private ReplayedRows keyed(Block block, OpenTable table, String key) throws InterruptedException {
        while (true) {
            Keys.Place place = tenant.keys().enter(block.table(), key);
            if (place.isMine()) return mine(block, table, key, place.entry());
            Optional<Keys.Taken> taken = decided(place.entry());
            if (taken.isPresent() && taken.get().tableUuid().equals(table.uuid())) return new ReplayedRows(0, "");
            tenant.keys().forget(place.entry());
        }
    }

    private Optional<Keys.Taken> decided(Keys.Entry other) throws InterruptedException {
        try {
            return other.decided().get(desk.options().roomMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException late) {
            throw new FailureException(Failure.Kind.THROTTLED, "These rows are being replayed: try again later");
        } catch (ExecutionException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private ReplayedRows mine(Block block, OpenTable table, String key, Keys.Entry place) throws InterruptedException {
        try {
            FoundClaim found = desk.ask()
                    .ask(new FindClaim(table.ref(), table.uuid(), key), desk.askTimeoutMillis())
                    .orThrow();
            if (found.claim().isPresent()) return new ReplayedRows(0, "");
            Block.RequestKey request = new Block.RequestKey(key, "", "{\"rows\":" + block.rows() + "}");
            Arrival arrival = arrival(block, table, Optional.of(request), Optional.empty());
            place.follow(arrival, request);
            return logged(arrival, null);
        } finally {
            place.release();
        }
    }

    private Arrival arrival(
            Block block, OpenTable table, Optional<Block.RequestKey> key, Optional<Block.ChannelPart> part) {
        TableRef ref = table.ref();
        Block again = new Block(ref, table.uuid(), block.rows(), block.wallMillis(), block.body(), key, part);
        return new Arrival(
                again,
                batch(block, table),
                desk.options().pace().of(table.metadata().properties()),
                desk.memory(),
                desk.buffers()::add);
    }

    /// The rows of a [Block.Rows]; null for files.
    private @Nullable RowBatch batch(Block block, OpenTable table) {
        if (!(block.body() instanceof Block.Rows(int schemaId, ByteBuffer ipc))) return null;
        Schema schema = table.metadata().schemasById().get(schemaId);
        if (schema == null)
            throw refused(
                    Failure.Kind.CONFLICT,
                    "SchemaGoneException",
                    "The table has no schema " + schemaId + " any more, which the rows were checked against");
        byte[] bytes = new byte[ipc.remaining()];
        ipc.duplicate().get(bytes);
        try {
            return RowBatch.readIpc(
                    new ByteArrayInputStream(bytes), schema, desk.memory().columns());
        } catch (IOException broken) {
            throw new FailureException(Failure.Kind.CORRUPT, "Parked rows cannot be read: " + broken);
        }
    }

    /// Waits until the rows are durable.
    private ReplayedRows logged(Arrival arrival, @Nullable RowsTurn turn) throws InterruptedException {
        if (!tenant.log().enter(arrival))
            arrival.refused(new Failure(Failure.Kind.UNAVAILABLE, "The node is stopping"));
        if (turn != null) turn.leave();
        try {
            LogPosition at = arrival.logged()
                    .get(desk.options().logMillis(), TimeUnit.MILLISECONDS)
                    .orThrow();
            return new ReplayedRows(arrival.block().rows(), at.token());
        } catch (TimeoutException late) {
            throw new FailureException(
                    Failure.Kind.UNKNOWN, "Whether the rows are durable is not known yet: replay them again");
        } catch (ExecutionException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static FailureException refused(Failure.Kind kind, String code, String message) {
        return new FailureException(new Failure(kind, code, message));
    }
}
