package io.storageengine.catalog.state;

import io.storageengine.catalog.state.TableState.Progress;
import io.storageengine.core.message.Claim;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// Everything a native catalog knows: the fold of its log. Immutable; a change costs the logarithm of the
/// number of namespaces, tables and views and shares the rest with the state before.
public final class CatalogState {
    /// A catalog whose log has no entries.
    public static final CatalogState EMPTY = new CatalogState(
            SortedTree.empty(), SortedTree.empty(), SortedTree.empty(), SortedTree.empty(), KeptReplies.NONE);

    /// The marks and claims of a dropped table are kept for this long, so that a table that is registered
    /// again does not take rows twice.
    static final long DROPPED_KEPT_MILLIS = 24 * 3_600_000L;

    /// Dropped tables and views that may come back, at most; tables with marks or claims count and stay.
    static final int DROPPED_MAX = 10_000;

    /// What is kept of a dropped table or view.
    ///
    /// @param wallMillis when it was dropped
    /// @param name what it was called; null when it must not come back
    /// @param location of its metadata file; empty without a name
    /// @param isPurged true when its files are being deleted
    public record Dropped(
            long wallMillis,
            Progress progress,
            @Nullable TableName name,
            String location,
            boolean isView,
            boolean isPurged) {}

    private final SortedTree<String, Space> spaces;
    private final SortedTree<UUID, TableName> names;
    private final SortedTree<UUID, TableName> viewNames;
    private final SortedTree<UUID, Dropped> dropped;
    private final KeptReplies replies;

    CatalogState(
            SortedTree<String, Space> spaces,
            SortedTree<UUID, TableName> names,
            SortedTree<UUID, TableName> viewNames,
            SortedTree<UUID, Dropped> dropped,
            KeptReplies replies) {
        this.spaces = spaces;
        this.names = names;
        this.viewNames = viewNames;
        this.dropped = dropped;
        this.replies = replies;
    }

    /// Namespaces by path.
    public SortedTree<String, Space> spaces() {
        return spaces;
    }

    /// What requests with a key were answered.
    public KeptReplies replies() {
        return replies;
    }

    /// How many tables there are.
    public int tableCount() {
        return names.size();
    }

    public Optional<Space> space(String path) {
        return Optional.ofNullable(spaces.get(path));
    }

    public Optional<TableState> table(TableName name) {
        return space(name.space()).map(space -> space.tables().get(name.name()));
    }

    /// What the table of that uuid is called now.
    public Optional<TableName> nameOf(UUID uuid) {
        return Optional.ofNullable(names.get(uuid));
    }

    /// The table of that uuid, whatever it is called now.
    public Optional<TableState> table(UUID uuid) {
        return nameOf(uuid).flatMap(this::table);
    }

    /// Whether there is a table or a view whose uuid begins with these eight hexadecimal digits.
    public boolean hasUuid(String start) {
        long most = Long.parseLong(start, 16) << 32;
        return begins(names, most) || begins(viewNames, most);
    }

    private static boolean begins(SortedTree<UUID, TableName> names, long most) {
        UUID next = names.ceiling(new UUID(most, Long.MIN_VALUE));
        return next != null && next.getMostSignificantBits() >>> 32 == most >>> 32;
    }

    /// This state with another metadata file for a table of it.
    public CatalogState withLocation(UUID uuid, String location) {
        TableName name = required(uuid);
        TableState table = new TableState(uuid, location, required(name).progress());
        return withSpaces(withTable(spaces, name, table));
    }

    /// How many views there are.
    public int viewCount() {
        return viewNames.size();
    }

    public Optional<ViewState> view(TableName name) {
        return space(name.space()).map(space -> space.views().get(name.name()));
    }

    /// What the view of that uuid is called now.
    public Optional<TableName> viewNameOf(UUID uuid) {
        return Optional.ofNullable(viewNames.get(uuid));
    }

    /// The first namespace directly below `parent` (the empty path for the root) whose path is above `after`,
    /// or null. Give the parent's path with a separator, or the empty path, to begin.
    public @Nullable String childAfter(String parent, String after) {
        String prefix = parent.isEmpty() ? "" : parent + Space.SEPARATOR;
        String path = after.isEmpty() ? spaces.first() : spaces.higher(after);
        while (path != null && path.startsWith(prefix)) {
            int end = path.indexOf(Space.SEPARATOR, prefix.length());
            if (end < 0) return path;
            // Below a child: what follows its whole subtree.
            path = spaces.ceiling(path.substring(0, end) + (char) (Space.SEPARATOR + 1));
        }
        return null;
    }

    /// Whether a namespace has namespaces below it.
    boolean hasChildren(String path) {
        String next = spaces.higher(path + Space.SEPARATOR);
        return next != null && next.startsWith(path + Space.SEPARATOR);
    }

    /// Tables and views that were dropped not long ago, by uuid.
    public SortedTree<UUID, Dropped> dropped() {
        return dropped;
    }

    /// The state after a change that was decided on this state (or on an equal one), at the entry's time.
    public CatalogState apply(Change change, long wallMillis) {
        return switch (change) {
            case Change.SpaceCreated c -> withSpaces(spaces.with(c.space(), Space.empty(c.properties())));
            case Change.SpaceChanged c -> changed(c);
            case Change.SpaceDropped c -> withSpaces(spaces.without(c.space()));
            case Change.TableCreated c -> created(c);
            case Change.TableCommitted c -> committed(c, wallMillis);
            case Change.ChannelHeld c -> held(c);
            case Change.TableRenamed c -> renamed(c);
            case Change.TableDropped c -> dropped(c, wallMillis);
            case Change.ReplyKept c ->
                new CatalogState(spaces, names, viewNames, dropped, replies.with(c.reply(), wallMillis));
            case Change.ViewCreated c -> {
                ViewState view = new ViewState(c.uuid(), c.location());
                yield withView(spaces, c.view(), view, viewNames.with(c.uuid(), c.view()))
                        .withDropped(dropped.without(c.uuid()));
            }
            case Change.ViewCommitted c ->
                withView(spaces, requiredView(c.uuid()), new ViewState(c.uuid(), c.location()), viewNames);
            case Change.ViewRenamed c -> renamed(c);
            case Change.ViewDropped c -> dropped(c, wallMillis);
        };
    }

    private CatalogState renamed(Change.ViewRenamed change) {
        TableName from = requiredView(change.uuid());
        ViewState view = view(from).orElseThrow(() -> new IllegalStateException("no view " + from.display()));
        return withView(withoutView(from), change.to(), view, viewNames.with(change.uuid(), change.to()));
    }

    private CatalogState changed(Change.SpaceChanged change) {
        Space space = required(change.space());
        Map<String, String> properties = new HashMap<>(space.properties());
        change.removed().forEach(properties::remove);
        properties.putAll(change.set());
        return withSpaces(spaces.with(change.space(), space.with(properties)));
    }

    private CatalogState created(Change.TableCreated change) {
        Dropped before = dropped.get(change.uuid());
        Progress progress = before == null ? Progress.NONE : before.progress();
        TableState table = new TableState(change.uuid(), change.location(), progress);
        return new CatalogState(
                withTable(spaces, change.table(), table),
                names.with(change.uuid(), change.table()),
                viewNames,
                dropped.without(change.uuid()),
                replies);
    }

    private CatalogState committed(Change.TableCommitted change, long wallMillis) {
        TableName name = required(change.uuid());
        TableState before = required(name);
        Map<String, Long> marks = new HashMap<>(before.progress().marks());
        marks.putAll(change.marks());
        Claims claims = before.progress().claims().pruned(wallMillis);
        for (Claim claim : change.claims()) claims = claims.with(claim, wallMillis);
        Progress progress = new Progress(marks, claims, before.progress().channels());
        return withSpaces(withTable(spaces, name, new TableState(change.uuid(), change.location(), progress)));
    }

    private CatalogState held(Change.ChannelHeld change) {
        TableName name = required(change.uuid());
        TableState before = required(name);
        Progress progress = ChannelRules.after(before.progress(), change);
        TableState after = new TableState(change.uuid(), before.metadataLocation(), progress);
        return withSpaces(withTable(spaces, name, after));
    }

    private CatalogState renamed(Change.TableRenamed change) {
        TableName from = required(change.uuid());
        TableState table = required(from);
        return new CatalogState(
                withTable(withoutTable(from), change.to(), table),
                names.with(change.uuid(), change.to()),
                viewNames,
                dropped,
                replies);
    }

    private CatalogState dropped(Change.TableDropped change, long wallMillis) {
        TableName name = required(change.uuid());
        TableState table = required(name);
        Dropped kept = change.mayComeBack()
                ? new Dropped(wallMillis, table.progress(), name, table.metadataLocation(), false, false)
                : new Dropped(wallMillis, table.progress(), null, "", false, change.isPurged());
        boolean isKept =
                change.mayComeBack() || change.isPurged() || !table.progress().isEmpty();
        SortedTree<UUID, Dropped> fresh = freshDropped(wallMillis);
        return new CatalogState(
                withoutTable(name),
                names.without(change.uuid()),
                viewNames,
                isKept ? fresh.with(change.uuid(), kept) : fresh,
                replies);
    }

    private CatalogState dropped(Change.ViewDropped change, long wallMillis) {
        TableName name = requiredView(change.uuid());
        String location = view(name).map(ViewState::metadataLocation).orElse("");
        SortedTree<UUID, Dropped> fresh = freshDropped(wallMillis);
        Dropped kept = new Dropped(wallMillis, Progress.NONE, name, location, true, false);
        return new CatalogState(
                withoutView(name),
                names,
                viewNames.without(change.uuid()),
                change.view() == null ? fresh : fresh.with(change.uuid(), kept),
                replies);
    }

    /// What was dropped, without what is too old; of too many the oldest without marks and claims go.
    private SortedTree<UUID, Dropped> freshDropped(long wallMillis) {
        List<UUID> old = new ArrayList<>();
        Map<UUID, Dropped> spare = new HashMap<>();
        dropped.forEach((uuid, kept) -> {
            if (kept.wallMillis() < wallMillis - DROPPED_KEPT_MILLIS) old.add(uuid);
            else if (kept.progress().isEmpty()) spare.put(uuid, kept);
        });
        if (dropped.size() - old.size() >= DROPPED_MAX && !spare.isEmpty()) {
            Comparator<Map.Entry<UUID, Dropped>> byAge = Comparator.comparingLong(
                    (Map.Entry<UUID, Dropped> entry) -> entry.getValue().wallMillis());
            old.add(spare.entrySet().stream()
                    .min(byAge.thenComparing(Map.Entry::getKey))
                    .orElseThrow()
                    .getKey());
        }
        SortedTree<UUID, Dropped> fresh = dropped;
        for (UUID uuid : old) fresh = fresh.without(uuid);
        return fresh;
    }

    /// What was dropped last under that name and may come back.
    public Optional<UUID> lastDropped(TableName name) {
        UUID[] last = new UUID[1];
        long[] when = {Long.MIN_VALUE};
        dropped.forEach((uuid, kept) -> {
            if (!name.equals(kept.name()) || kept.wallMillis() < when[0]) return;
            last[0] = uuid;
            when[0] = kept.wallMillis();
        });
        return Optional.ofNullable(last[0]);
    }

    private CatalogState withDropped(SortedTree<UUID, Dropped> others) {
        return new CatalogState(spaces, names, viewNames, others, replies);
    }

    private CatalogState withSpaces(SortedTree<String, Space> others) {
        return new CatalogState(others, names, viewNames, dropped, replies);
    }

    private SortedTree<String, Space> withoutTable(TableName name) {
        Space space = required(name.space());
        return spaces.with(name.space(), space.with(space.tables().without(name.name())));
    }

    private static SortedTree<String, Space> withTable(
            SortedTree<String, Space> spaces, TableName name, TableState table) {
        Space space = spaces.get(name.space());
        if (space == null) throw new IllegalStateException("no namespace " + Space.display(name.space()));
        return spaces.with(name.space(), space.with(space.tables().with(name.name(), table)));
    }

    private CatalogState withView(
            SortedTree<String, Space> others, TableName name, ViewState view, SortedTree<UUID, TableName> otherNames) {
        Space space = others.get(name.space());
        if (space == null) throw new IllegalStateException("no namespace " + Space.display(name.space()));
        Space next = space.withViews(space.views().with(name.name(), view));
        return new CatalogState(others.with(name.space(), next), names, otherNames, dropped, replies);
    }

    private SortedTree<String, Space> withoutView(TableName name) {
        Space space = required(name.space());
        return spaces.with(name.space(), space.withViews(space.views().without(name.name())));
    }

    private TableName requiredView(UUID uuid) {
        return viewNameOf(uuid).orElseThrow(() -> new IllegalStateException("no view with uuid " + uuid));
    }

    private Space required(String path) {
        return space(path).orElseThrow(() -> new IllegalStateException("no namespace " + Space.display(path)));
    }

    private TableName required(UUID uuid) {
        return nameOf(uuid).orElseThrow(() -> new IllegalStateException("no table with uuid " + uuid));
    }

    private TableState required(TableName name) {
        return table(name).orElseThrow(() -> new IllegalStateException("no table " + name.display()));
    }
}
