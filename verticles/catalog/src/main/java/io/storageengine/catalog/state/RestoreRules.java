package io.storageengine.catalog.state;

import static io.storageengine.core.Failure.Kind.CONFLICT;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/// Decides what sets a catalog back: pure. What ingestion has committed to a table, and what requests were
/// answered, never goes back: rows that were rolled back are not taken again.
public final class RestoreRules {
    private RestoreRules() {}

    /// Sets a catalog back: everything that is to go first, then what is to come, so that names are free. A
    /// table that had another name is dropped and made again, which keeps its uuid and what it knows of
    /// ingestion.
    static Decision asOf(CatalogState state, Command.RestoreAsOf command) {
        CatalogState target = command.target();
        if (!isChecked(state, command)) {
            return Decision.refused(CONFLICT, Decisions.STALE, "The catalog was changed meanwhile");
        }
        for (String name : forgotten(state, command)) {
            return Decision.refused(
                    CONFLICT,
                    "CommitFailedException",
                    "The catalog cannot be set back that far: table " + name + " was dropped since, so long ago that"
                            + " it is not known any more which rows it had been given");
        }
        List<Change> changes = new ArrayList<>(gone(state, target));
        changes.addAll(spaces(state, target));
        target.spaces().forEach((path, space) -> {
            space.tables().forEach((name, table) -> changes.addAll(back(state, new TableName(path, name), table)));
            space.views().forEach((name, view) -> changes.addAll(back(state, new TableName(path, name), view)));
        });
        return new Decision.Accepted(changes);
    }

    /// Whether all was looked at that this state makes necessary.
    private static boolean isChecked(CatalogState state, Command.RestoreAsOf command) {
        return heads(state, command.target()).equals(heads(command.seen(), command.target()))
                && command.files().containsAll(tableFiles(state, command.target()))
                && command.files().containsAll(viewFiles(state, command.target()))
                && command.absent().containsAll(absent(state, command.target()));
    }

    /// The newest metadata files of the tables that go back, also of those that were dropped not long ago. What
    /// is given only once was told from these, so a commit that came after them is looked at anew.
    private static Map<UUID, String> heads(CatalogState state, CatalogState target) {
        Map<UUID, String> heads = new HashMap<>();
        target.spaces()
                .forEach((path, space) -> space.tables().forEach((name, table) -> {
                    String head = newest(state, table.uuid()).orElse("");
                    boolean isSame = head.equals(table.metadataLocation())
                            && state.nameOf(table.uuid()).isPresent();
                    if (!isSame) heads.put(table.uuid(), head);
                }));
        return heads;
    }

    /// The newest metadata file that is known of a table; empty when it was handed over, or dropped long ago.
    public static Optional<String> newest(CatalogState state, UUID uuid) {
        Optional<TableState> table = state.table(uuid);
        if (table.isPresent()) return table.map(TableState::metadataLocation);
        CatalogState.Dropped dropped = state.dropped().get(uuid);
        return Optional.ofNullable(dropped).map(CatalogState.Dropped::location).filter(location -> !location.isEmpty());
    }

    private static List<String> forgotten(CatalogState state, Command.RestoreAsOf command) {
        List<String> names = new ArrayList<>();
        command.target()
                .spaces()
                .forEach((path, space) -> space.tables().forEach((name, table) -> {
                    boolean knew =
                            !table.progress().isEmpty() || command.ingested().contains(table.uuid());
                    boolean knows = state.nameOf(table.uuid()).isPresent()
                            || state.dropped().contains(table.uuid());
                    if (knew && !knows) names.add(new TableName(path, name).display());
                }));
        return names;
    }

    /// The tables of `target` that `state` has not.
    public static Set<UUID> absent(CatalogState state, CatalogState target) {
        Set<UUID> absent = new HashSet<>();
        target.spaces()
                .forEach((path, space) -> space.tables().forEach((name, table) -> {
                    if (state.nameOf(table.uuid()).isEmpty()) absent.add(table.uuid());
                }));
        return absent;
    }

    /// The metadata files of tables that `state` does not point at and `target` does.
    public static Set<String> tableFiles(CatalogState state, CatalogState target) {
        Set<String> files = new HashSet<>();
        target.spaces()
                .forEach((path, space) -> space.tables().forEach((name, table) -> {
                    String now = state.table(table.uuid())
                            .map(TableState::metadataLocation)
                            .orElse("");
                    if (!now.equals(table.metadataLocation())) files.add(table.metadataLocation());
                }));
        return files;
    }

    /// The same of views.
    public static Set<String> viewFiles(CatalogState state, CatalogState target) {
        Set<String> files = new HashSet<>();
        target.spaces()
                .forEach((path, space) -> space.views().forEach((name, view) -> {
                    String now = state.viewNameOf(view.uuid())
                            .flatMap(state::view)
                            .map(ViewState::metadataLocation)
                            .orElse("");
                    if (!now.equals(view.metadataLocation())) files.add(view.metadataLocation());
                }));
        return files;
    }

    private static List<Change> gone(CatalogState state, CatalogState target) {
        List<Change> changes = new ArrayList<>();
        state.spaces().forEach((path, space) -> {
            space.tables().forEach((name, table) -> {
                boolean stays = target.nameOf(table.uuid()).equals(Optional.of(new TableName(path, name)));
                if (!stays) changes.add(new Change.TableDropped(table.uuid(), new TableName(path, name), null));
            });
            space.views().forEach((name, view) -> {
                boolean stays = target.viewNameOf(view.uuid()).equals(Optional.of(new TableName(path, name)));
                if (!stays) changes.add(new Change.ViewDropped(view.uuid(), new TableName(path, name)));
            });
        });
        return changes;
    }

    private static List<Change> spaces(CatalogState state, CatalogState target) {
        List<Change> changes = new ArrayList<>();
        state.spaces().forEach((path, space) -> {
            if (target.space(path).isEmpty()) changes.addFirst(new Change.SpaceDropped(path));
        });
        target.spaces().forEach((path, space) -> {
            Optional<Space> now = state.space(path);
            if (now.isEmpty()) changes.add(new Change.SpaceCreated(path, space.properties()));
            else if (!now.get().properties().equals(space.properties())) changes.add(changed(path, now.get(), space));
        });
        return changes;
    }

    private static Change changed(String path, Space now, Space then) {
        Set<String> removed = new HashSet<>(now.properties().keySet());
        removed.removeAll(then.properties().keySet());
        Map<String, String> set = new HashMap<>(then.properties());
        return new Change.SpaceChanged(path, List.copyOf(removed), set);
    }

    private static List<Change> back(CatalogState state, TableName name, TableState then) {
        boolean stays = state.nameOf(then.uuid()).equals(Optional.of(name));
        if (!stays) return List.of(new Change.TableCreated(name, then.uuid(), then.metadataLocation()));
        boolean same = state.table(name).map(TableState::metadataLocation).equals(Optional.of(then.metadataLocation()));
        return same
                ? List.of()
                : List.of(new Change.TableCommitted(then.uuid(), then.metadataLocation(), Map.of(), List.of()));
    }

    private static List<Change> back(CatalogState state, TableName name, ViewState then) {
        boolean stays = state.viewNameOf(then.uuid()).equals(Optional.of(name));
        if (!stays) return List.of(new Change.ViewCreated(name, then.uuid(), then.metadataLocation()));
        boolean same = state.view(name).equals(Optional.of(then));
        return same ? List.of() : List.of(new Change.ViewCommitted(then.uuid(), then.metadataLocation()));
    }
}
