package io.storageengine.ingest.table;

import io.storageengine.core.Clock;
import io.storageengine.core.Done;
import io.storageengine.core.Failure;
import io.storageengine.core.Outcome;
import io.storageengine.core.store.Content;
import io.storageengine.core.store.ObjectStore;
import io.storageengine.core.store.PutOptions;
import io.storageengine.ingest.rows.RowBatch;
import io.storageengine.ingest.wal.Block;
import io.storageengine.ingest.wal.Segment;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Keeps rows that no table can take any more: `parked/{catalog}/{table uuid}/{log id}-{position}-{n}` in the
/// cluster storage, each a segment of the write-ahead log's form. Parking the same rows again changes nothing.
public final class Parking {
    /// A catalog that is not registered may be registered again: deleting it forgets its registration, never
    /// its data. Its rows wait for it so long.
    public static final long CATALOG_AWAITED_MILLIS = 24 * 3_600_000L;

    private static final Logger LOG = LoggerFactory.getLogger(Parking.class);
    private static final Pattern NAME = Pattern.compile("(.+)-([0-9]{20})-[0-9]+");
    private final ObjectStore store;
    private final Clock clock;

    public Parking(ObjectStore store, Clock clock) {
        this.store = store;
        this.clock = clock;
    }

    /// Where a catalog's parked rows lie.
    public static String prefix(String catalog) {
        return "parked/" + catalog + "/";
    }

    /// Whether a table's marks say that it has the rows of an object of [#park]: of a table that is gone nobody
    /// knows its marks, and all that a dead log has of it is parked.
    ///
    /// @param key the object's
    public static boolean isCommitted(String key, OpenTable table) {
        Matcher name = NAME.matcher(key.substring(key.lastIndexOf('/') + 1));
        return name.matches() && table.marks().getOrDefault(name.group(1), 0L) >= Long.parseLong(name.group(2));
    }

    /// Whether rows whose table was answered for with that failure are to be parked; else they wait.
    ///
    /// @param takenMillis when the youngest of them was taken
    public boolean isDue(Failure failure, long takenMillis) {
        if (failure.kind() != Failure.Kind.NOT_FOUND) return false;
        return !failure.code().equals("NoSuchCatalogException")
                || clock.wallMillis() - takenMillis > CATALOG_AWAITED_MILLIS;
    }

    /// Keeps a batch's rows.
    Outcome<Done> park(Batch batch) {
        int n = 0;
        for (Arrival arrival : batch.arrivals()) {
            Outcome<Done> outcome =
                    park(whole(arrival), batch.log().id(), arrival.at().position(), n++);
            if (!outcome.isOk()) return outcome;
        }
        return Outcome.done();
    }

    /// Keeps one entry's rows of a table.
    ///
    /// @param n tells several blocks of one entry apart
    public Outcome<Done> park(Block block, String log, long position, int n) {
        String key = prefix(block.table().catalog()) + block.tableUuid() + "/" + log
                + String.format(Locale.ROOT, "-%020d-%d", position, n);
        LOG.warn(
                "Parked {} rows of {}, which cannot take them: {}",
                block.rows(),
                block.table().display(),
                key);
        return store.put(key, Content.of(Segment.write(List.of(block))), PutOptions.PLAIN)
                .map(info -> Done.DONE);
    }

    /// Keeps an entry's bytes that cannot be read as what they should be.
    public Outcome<Done> parkEntry(String log, long position, ByteBuffer payload) {
        String key = "parked-entries/" + log + String.format(Locale.ROOT, "-%020d", position);
        LOG.error("Parked a broken entry of a write-ahead log: {}", key);
        return store.put(key, Content.of(payload), PutOptions.PLAIN).map(info -> Done.DONE);
    }

    private static Block whole(Arrival arrival) {
        RowBatch batch = arrival.batch();
        Block block = arrival.block();
        if (batch == null) return block;
        return block.with(new Block.Rows(batch.schemaId(), ipc(batch)));
    }

    /// A batch as an Arrow IPC stream.
    public static ByteBuffer ipc(RowBatch batch) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream((int) Math.min(batch.bytes() + 4096, 1 << 30));
        try {
            batch.writeIpc(Channels.newChannel(bytes));
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return ByteBuffer.wrap(bytes.toByteArray());
    }
}
