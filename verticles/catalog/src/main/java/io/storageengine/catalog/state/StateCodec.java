package io.storageengine.catalog.state;

import io.storageengine.catalog.state.TableState.Progress;
import io.storageengine.core.Failure;
import io.storageengine.core.FailureException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/// The form of a checkpoint of the catalog log: gzip of JSON.
public final class StateCodec {
    private StateCodec() {}

    /// The whole of a catalog.
    ///
    /// @param replies null in checkpoints of version 1
    record Snapshot(
            int version,
            List<StoredSpace> spaces,
            List<StoredDrop> dropped,
            @Nullable List<KeptReplies.Dated> replies) {}

    record StoredSpace(String space, Map<String, String> properties, List<StoredTable> tables) {}

    record StoredTable(String name, UUID uuid, String location, StoredProgress progress) {}

    record StoredDrop(UUID uuid, long wallMillis, StoredProgress progress) {}

    record StoredProgress(Map<String, Long> marks, List<Claims.Dated> claims) {}

    public static ByteBuffer encode(CatalogState state) {
        List<StoredSpace> spaces = new ArrayList<>();
        state.spaces().forEach((path, space) -> spaces.add(store(path, space)));
        List<StoredDrop> dropped = new ArrayList<>();
        state.dropped()
                .forEach((uuid, kept) -> dropped.add(new StoredDrop(uuid, kept.wallMillis(), store(kept.progress()))));
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (OutputStream zip = new GZIPOutputStream(bytes)) {
            EntryCodec.MAPPER.writeValue(
                    zip,
                    new Snapshot(
                            EntryCodec.VERSION, spaces, dropped, state.replies().all()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return ByteBuffer.wrap(bytes.toByteArray());
    }

    /// @throws FailureException `CORRUPT` when these bytes are not a checkpoint that this version reads
    public static CatalogState decode(ByteBuffer checkpoint) {
        byte[] bytes = new byte[checkpoint.remaining()];
        checkpoint.duplicate().get(bytes);
        try (InputStream zip = new GZIPInputStream(new ByteArrayInputStream(bytes))) {
            Snapshot snapshot = EntryCodec.MAPPER.readValue(zip, Snapshot.class);
            if (snapshot.version() > EntryCodec.VERSION) throw EntryCodec.newer(snapshot.version());
            return state(snapshot);
        } catch (IOException e) {
            throw new FailureException(
                    Failure.Kind.CORRUPT, "A checkpoint of the catalog log cannot be read: " + e.getMessage());
        }
    }

    private static CatalogState state(Snapshot snapshot) {
        SortedTree<String, Space> spaces = SortedTree.empty();
        SortedTree<UUID, TableName> names = SortedTree.empty();
        for (StoredSpace stored : snapshot.spaces()) {
            SortedTree<String, TableState> tables = SortedTree.empty();
            for (StoredTable table : stored.tables()) {
                tables = tables.with(
                        table.name(), new TableState(table.uuid(), table.location(), progress(table.progress())));
                names = names.with(table.uuid(), new TableName(stored.space(), table.name()));
            }
            spaces = spaces.with(stored.space(), new Space(stored.properties(), tables));
        }
        SortedTree<UUID, CatalogState.Dropped> dropped = SortedTree.empty();
        for (StoredDrop drop : snapshot.dropped()) {
            dropped = dropped.with(drop.uuid(), new CatalogState.Dropped(drop.wallMillis(), progress(drop.progress())));
        }
        return new CatalogState(spaces, names, dropped, replies(snapshot));
    }

    private static KeptReplies replies(Snapshot snapshot) {
        List<KeptReplies.Dated> stored = snapshot.replies();
        KeptReplies replies = KeptReplies.NONE;
        if (stored == null) return replies;
        for (KeptReplies.Dated dated : stored) replies = replies.with(dated.reply(), dated.wallMillis());
        return replies;
    }

    private static StoredSpace store(String path, Space space) {
        List<StoredTable> tables = new ArrayList<>();
        space.tables()
                .forEach((name, table) -> tables.add(
                        new StoredTable(name, table.uuid(), table.metadataLocation(), store(table.progress()))));
        return new StoredSpace(path, space.properties(), tables);
    }

    private static StoredProgress store(Progress progress) {
        return new StoredProgress(progress.marks(), progress.claims().all());
    }

    private static Progress progress(StoredProgress stored) {
        Claims claims = Claims.NONE;
        for (Claims.Dated dated : stored.claims()) claims = claims.with(dated.claim(), dated.wallMillis());
        return new Progress(stored.marks(), claims);
    }
}
