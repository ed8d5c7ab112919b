package io.storageengine.catalog.state;

import com.fasterxml.jackson.annotation.JsonInclude;
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
import java.util.Objects;
import java.util.UUID;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/// The form of a checkpoint of the catalog log: gzip of JSON. Its versions are those of [EntryCodec]; a
/// catalog is written as the lowest version that has all that it needs.
public final class StateCodec {
    private StateCodec() {}

    /// The whole of a catalog.
    record Snapshot(
            int version,
            List<StoredSpace> spaces,
            List<StoredDrop> dropped,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) List<KeptReplies.Dated> replies) {
        Snapshot {
            // Version 1 has none.
            replies = Objects.requireNonNullElse(replies, List.of());
        }
    }

    record StoredSpace(
            String space,
            Map<String, String> properties,
            List<StoredTable> tables,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) List<StoredView> views) {
        StoredSpace {
            // Version 1 has none.
            views = Objects.requireNonNullElse(views, List.of());
        }
    }

    record StoredTable(String name, UUID uuid, String location, StoredProgress progress) {}

    record StoredView(String name, UUID uuid, String location) {}

    /// @param name since version 3, with the location of its metadata file; none when it must not come back
    /// @param kind `view`, `purged`, or none for a table
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record StoredDrop(
            UUID uuid,
            long wallMillis,
            StoredProgress progress,
            @Nullable TableName name,
            @Nullable String location,
            @Nullable String kind) {
        private static final String VIEW = "view";
        private static final String PURGED = "purged";

        static StoredDrop of(UUID uuid, CatalogState.Dropped kept) {
            StoredProgress progress = store(kept.progress());
            TableName name = kept.name();
            if (name == null)
                return new StoredDrop(uuid, kept.wallMillis(), progress, null, null, kept.isPurged() ? PURGED : null);
            return new StoredDrop(
                    uuid, kept.wallMillis(), progress, name, kept.location(), kept.isView() ? VIEW : null);
        }

        CatalogState.Dropped dropped() {
            String place = Objects.requireNonNullElse(location, "");
            return new CatalogState.Dropped(
                    wallMillis, StateCodec.progress(progress), name, place, VIEW.equals(kind), PURGED.equals(kind));
        }
    }

    /// @param channels since version 4; none when there never were any
    record StoredProgress(
            Map<String, Long> marks,
            List<Claims.Dated> claims,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            Channels channels) {}

    public static ByteBuffer encode(CatalogState state) {
        List<StoredSpace> spaces = new ArrayList<>();
        state.spaces().forEach((path, space) -> spaces.add(store(path, space)));
        List<StoredDrop> dropped = new ArrayList<>();
        state.dropped().forEach((uuid, kept) -> dropped.add(StoredDrop.of(uuid, kept)));
        List<KeptReplies.Dated> replies = state.replies().all();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (OutputStream zip = new GZIPOutputStream(bytes)) {
            boolean isFirst = state.viewCount() == 0 && replies.isEmpty();
            boolean isThird = dropped.stream().anyMatch(drop -> drop.kind() != null || drop.name() != null);
            boolean isFourth = hasChannels(spaces, dropped);
            int version = isFourth ? 4 : isThird ? 3 : isFirst ? 1 : 2;
            EntryCodec.MAPPER.writeValue(zip, new Snapshot(version, spaces, dropped, replies));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return ByteBuffer.wrap(bytes.toByteArray());
    }

    private static boolean hasChannels(List<StoredSpace> spaces, List<StoredDrop> dropped) {
        return dropped.stream().anyMatch(drop -> drop.progress().channels() != null)
                || spaces.stream()
                        .flatMap(space -> space.tables().stream())
                        .anyMatch(table -> table.progress().channels() != null);
    }

    /// @throws FailureException `CORRUPT` when these bytes are not a checkpoint that this version reads
    public static CatalogState decode(ByteBuffer checkpoint) {
        byte[] bytes = new byte[checkpoint.remaining()];
        checkpoint.duplicate().get(bytes);
        try (InputStream zip = new GZIPInputStream(new ByteArrayInputStream(bytes))) {
            Snapshot snapshot = EntryCodec.MAPPER.readValue(zip, Snapshot.class);
            EntryCodec.checkVersion(snapshot.version());
            return state(snapshot);
        } catch (IOException e) {
            throw new FailureException(
                    Failure.Kind.CORRUPT, "A checkpoint of the catalog log cannot be read: " + e.getMessage());
        }
    }

    private static CatalogState state(Snapshot snapshot) {
        SortedTree<String, Space> spaces = SortedTree.empty();
        SortedTree<UUID, TableName> names = SortedTree.empty();
        SortedTree<UUID, TableName> viewNames = SortedTree.empty();
        for (StoredSpace stored : snapshot.spaces()) {
            SortedTree<String, TableState> tables = SortedTree.empty();
            for (StoredTable table : stored.tables()) {
                tables = tables.with(
                        table.name(), new TableState(table.uuid(), table.location(), progress(table.progress())));
                names = names.with(table.uuid(), new TableName(stored.space(), table.name()));
            }
            SortedTree<String, ViewState> views = SortedTree.empty();
            for (StoredView view : stored.views()) {
                views = views.with(view.name(), new ViewState(view.uuid(), view.location()));
                viewNames = viewNames.with(view.uuid(), new TableName(stored.space(), view.name()));
            }
            spaces = spaces.with(stored.space(), new Space(stored.properties(), tables, views));
        }
        SortedTree<UUID, CatalogState.Dropped> dropped = SortedTree.empty();
        for (StoredDrop drop : snapshot.dropped()) {
            dropped = dropped.with(drop.uuid(), drop.dropped());
        }
        return new CatalogState(spaces, names, viewNames, dropped, replies(snapshot));
    }

    private static KeptReplies replies(Snapshot snapshot) {
        KeptReplies replies = KeptReplies.NONE;
        for (KeptReplies.Dated dated : snapshot.replies()) replies = replies.with(dated.reply(), dated.wallMillis());
        return replies;
    }

    private static StoredSpace store(String path, Space space) {
        List<StoredTable> tables = new ArrayList<>();
        space.tables()
                .forEach((name, table) -> tables.add(
                        new StoredTable(name, table.uuid(), table.metadataLocation(), store(table.progress()))));
        List<StoredView> views = new ArrayList<>();
        space.views().forEach((name, view) -> views.add(new StoredView(name, view.uuid(), view.metadataLocation())));
        return new StoredSpace(path, space.properties(), tables, views);
    }

    private static StoredProgress store(Progress progress) {
        Channels channels = progress.channels();
        return new StoredProgress(progress.marks(), progress.claims().all(), channels.isEmpty() ? null : channels);
    }

    private static Progress progress(StoredProgress stored) {
        // Most tables have none: one object for all of them.
        Channels channels = Objects.requireNonNullElse(stored.channels(), Channels.NONE);
        if (stored.marks().isEmpty() && stored.claims().isEmpty() && channels.isEmpty()) return Progress.NONE;
        Claims claims = Claims.NONE;
        for (Claims.Dated dated : stored.claims()) claims = claims.with(dated.claim(), dated.wallMillis());
        return new Progress(stored.marks(), claims, channels);
    }
}
