package io.storageengine.catalog.state;

import static io.storageengine.core.Failure.Kind.CONFLICT;
import static io.storageengine.core.Failure.Kind.EXISTS;
import static io.storageengine.core.Failure.Kind.INVALID;
import static io.storageengine.core.Failure.Kind.NOT_FOUND;

import io.storageengine.catalog.state.Command.TableCommit;
import io.storageengine.core.Failure;
import io.storageengine.core.message.Claim;
import io.storageengine.core.message.Watermark;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/// Decides commands: pure. The texts are those of Iceberg's reference implementation, which clients and its
/// compatibility kit know.
public final class Decisions {
    /// The code of the refusal of a commit that was made on a metadata file that is no longer current. The
    /// catalog looks again and re-decides; clients never see it.
    public static final String STALE = "StaleMetadata";

    private static final String FOREIGN = "foreign";

    private Decisions() {}

    /// What becomes of `command` on `state`.
    ///
    /// @param wallMillis the time of the entry that would hold the changes
    public static Decision decide(CatalogState state, Command command, long wallMillis) {
        return switch (command) {
            case Command.CreateSpace c -> createSpace(state, c);
            case Command.ChangeSpace c -> changeSpace(state, c);
            case Command.DropSpace c -> dropSpace(state, c);
            case Command.CreateTable c -> createTable(state, c);
            case Command.RegisterTable c -> registerTable(state, c);
            case Command.CommitTables c -> commit(state, c, wallMillis);
            case Command.RenameTable c -> renameTable(state, c);
            case Command.DropTable c -> dropTable(state, c);
            case Command.CreateView c -> ViewRules.create(state, c);
            case Command.CommitView c -> ViewRules.commit(state, c);
            case Command.RenameView c -> ViewRules.rename(state, c);
            case Command.DropView c -> ViewRules.drop(state, c);
            case Command.NoteClaims c -> noteClaims(state, c);
            case Command.HoldChannel c -> holdChannel(state, c);
            case Command.UnregisterTable c -> unregisterTable(state, c);
            case Command.Together c -> together(state, c, wallMillis);
            case Command.Keyed c -> keyed(state, c, wallMillis);
            case Command.By c -> decide(state, c.inner(), wallMillis);
            case Command.Restore c -> restore(state, c);
            case Command.RestoreAsOf c -> RestoreRules.asOf(state, c);
            case Command.Refuse c -> new Decision.Refused(c.failure());
        };
    }

    private static Decision createSpace(CatalogState state, Command.CreateSpace command) {
        if (state.space(command.space()).isPresent()) {
            return Decision.refused(
                    EXISTS, "AlreadyExistsException", "Namespace already exists: " + Space.display(command.space()));
        }
        List<Change> changes = new ArrayList<>();
        String path = command.space();
        for (int end = path.indexOf(Space.SEPARATOR); end > 0; end = path.indexOf(Space.SEPARATOR, end + 1)) {
            String above = path.substring(0, end);
            if (state.space(above).isEmpty()) changes.add(new Change.SpaceCreated(above, Map.of()));
        }
        changes.add(new Change.SpaceCreated(path, command.properties()));
        return new Decision.Accepted(changes);
    }

    private static Decision changeSpace(CatalogState state, Command.ChangeSpace command) {
        if (state.space(command.space()).isEmpty()) return noSpace(command.space());
        return Decision.accepted(new Change.SpaceChanged(command.space(), command.removed(), command.set()));
    }

    private static Decision dropSpace(CatalogState state, Command.DropSpace command) {
        Optional<Space> space = state.space(command.space());
        if (space.isEmpty()) return noSpace(command.space());
        String held = "";
        if (state.hasChildren(command.space())) held = "namespaces";
        if (!space.get().views().isEmpty()) held = "views";
        if (!space.get().tables().isEmpty()) held = "tables";
        if (!held.isEmpty()) {
            String message = "Namespace " + Space.display(command.space()) + " is not empty: it holds " + held;
            return Decision.refused(CONFLICT, "NamespaceNotEmptyException", message);
        }
        return Decision.accepted(new Change.SpaceDropped(command.space()));
    }

    private static Decision createTable(CatalogState state, Command.CreateTable command) {
        if (state.space(command.table().space()).isEmpty()) {
            return noSpace(command.table().space());
        }
        if (state.table(command.table()).isPresent()) {
            return command.staged()
                    ? Decision.refused(CONFLICT, "CommitFailedException", "Requirement failed: table already exists")
                    : exists(command.table());
        }
        Optional<Failure> view = ViewRules.tableRefusal(state, command.table());
        if (view.isPresent()) return new Decision.Refused(view.get());
        if (state.nameOf(command.uuid()).isPresent()) return uuidTaken(state, command.uuid());
        return Decision.accepted(new Change.TableCreated(command.table(), command.uuid(), command.location()));
    }

    private static Decision registerTable(CatalogState state, Command.RegisterTable command) {
        if (state.space(command.table().space()).isEmpty()) {
            return noSpace(command.table().space());
        }
        Optional<Failure> view = ViewRules.tableRefusal(state, command.table());
        if (view.isPresent()) return new Decision.Refused(view.get());
        Optional<TableState> before = state.table(command.table());
        if (before.isPresent() && !command.overwrite()) return exists(command.table());
        if (before.isPresent() && before.get().uuid().equals(command.uuid())) {
            return Decision.accepted(
                    new Change.TableCommitted(command.uuid(), command.location(), Map.of(), List.of()));
        }
        if (state.nameOf(command.uuid()).isPresent()) return uuidTaken(state, command.uuid());
        CatalogState.Dropped dropped = state.dropped().get(command.uuid());
        if (dropped != null && dropped.isPurged()) {
            return Decision.refused(
                    INVALID,
                    "BadRequestException",
                    "The table " + command.uuid() + " was purged: its files are deleted");
        }
        Change created = new Change.TableCreated(command.table(), command.uuid(), command.location());
        return before.isEmpty()
                ? Decision.accepted(created)
                : Decision.accepted(new Change.TableDropped(before.get().uuid(), command.table(), null), created);
    }

    private static Decision commit(CatalogState state, Command.CommitTables command, long wallMillis) {
        List<Change> changes = new ArrayList<>();
        Set<UUID> seen = new HashSet<>();
        for (TableCommit part : command.tables()) {
            if (!seen.add(part.uuid())) {
                return Decision.refused(
                        Failure.Kind.INVALID, "BadRequestException", "A table is named twice in one commit");
            }
            Optional<Decision> refusal = refusal(state, part, wallMillis);
            if (refusal.isPresent()) return refusal.get();
            Map<String, Long> marks = new HashMap<>();
            part.marks().forEach(mark -> marks.put(mark.log(), mark.next()));
            changes.add(new Change.TableCommitted(part.uuid(), part.location(), marks, part.claims()));
        }
        return new Decision.Accepted(changes);
    }

    private static Optional<Decision> refusal(CatalogState state, TableCommit part, long wallMillis) {
        Optional<TableState> found = state.table(part.uuid());
        boolean moved = part.isNamed() && !state.nameOf(part.uuid()).equals(Optional.of(part.table()));
        if (found.isEmpty() || moved) return Optional.of(noTable(part.table()));
        Optional<Failure> progress = progressRefusal(found.get(), part.marks(), part.claims(), wallMillis);
        if (progress.isPresent()) return Optional.of(new Decision.Refused(progress.get()));
        if (!found.get().metadataLocation().equals(part.expectedLocation())) {
            return Optional.of(stale(part.table()));
        }
        return Optional.empty();
    }

    /// Why these marks and claims cannot go into the table; empty when they can.
    public static Optional<Failure> progressRefusal(
            TableState table, List<Watermark> marks, List<Claim> claims, long wallMillis) {
        for (Watermark mark : marks) {
            long stands = table.progress().marks().getOrDefault(mark.log(), 0L);
            if (stands != mark.expected()) {
                return Optional.of(new Failure(
                        CONFLICT,
                        "WatermarkMismatch",
                        "The mark of log " + mark.log() + " stands at " + stands + ", not at " + mark.expected()));
            }
        }
        for (Claim claim : claims) {
            if (table.progress().claims().find(claim.key(), wallMillis).isPresent()) {
                String message = "A committed request has claimed the key " + claim.key();
                return Optional.of(new Failure(CONFLICT, "ClaimExists", message));
            }
        }
        return Optional.empty();
    }

    private static Decision renameTable(CatalogState state, Command.RenameTable command) {
        Optional<TableState> from = state.table(command.from());
        if (from.isEmpty()) return noTable(command.from());
        if (state.space(command.to().space()).isEmpty()) {
            return noSpace(command.to().space());
        }
        if (command.from().equals(command.to())) return new Decision.Accepted(List.of());
        if (state.table(command.to()).isPresent()) return exists(command.to());
        if (state.view(command.to()).isPresent()) {
            return new Decision.Refused(ViewRules.cannotRename(command.from(), command.to(), "View"));
        }
        return Decision.accepted(new Change.TableRenamed(from.get().uuid(), command.to()));
    }

    private static Decision dropTable(CatalogState state, Command.DropTable command) {
        Optional<TableState> found = state.table(command.table());
        if (found.isEmpty()) return noTable(command.table());
        return Decision.accepted(new Change.TableDropped(found.get().uuid(), command.table(), null));
    }

    private static Decision restore(CatalogState state, Command.Restore command) {
        CatalogState.Dropped found = state.dropped().get(command.uuid());
        if (found == null || !command.name().equals(found.name())) {
            return new Decision.Refused(notRestorable(command.name()));
        }
        return found.isView()
                ? ViewRules.create(state, new Command.CreateView(command.name(), command.uuid(), found.location()))
                : createTable(state, new Command.CreateTable(command.name(), command.uuid(), found.location(), false));
    }

    /// The failure that says that nothing of that name can be brought back.
    public static Failure notRestorable(TableName name) {
        return new Failure(
                NOT_FOUND,
                "NoSuchTableException",
                "Nothing to restore: no table or view " + name.display() + " was dropped in the last "
                        + CatalogState.DROPPED_KEPT_MILLIS / 3_600_000 + " hours, or it was purged or handed over");
    }

    private static Decision unregisterTable(CatalogState state, Command.UnregisterTable command) {
        Optional<TableState> found = state.table(command.table());
        if (found.isEmpty()) return noTable(command.table());
        if (!found.get().metadataLocation().equals(command.expectedLocation())) return stale(command.table());
        String fate = command.purges() ? Change.TableDropped.PURGED : Change.TableDropped.HANDED_OVER;
        return Decision.accepted(new Change.TableDropped(found.get().uuid(), command.table(), fate));
    }

    private static Decision together(CatalogState state, Command.Together command, long wallMillis) {
        List<Change> changes = new ArrayList<>();
        CatalogState after = state;
        for (Command one : command.commands()) {
            Decision decision = decide(after, one, wallMillis);
            if (!(decision instanceof Decision.Accepted(List<Change> accepted))) return decision;
            for (Change change : accepted) after = after.apply(change, wallMillis);
            changes.addAll(accepted);
        }
        return new Decision.Accepted(changes);
    }

    private static Decision keyed(CatalogState state, Command.Keyed command, long wallMillis) {
        Optional<KeptReply> kept = state.replies().find(command.key().key(), wallMillis);
        if (kept.isPresent()) {
            return kept.get().answers(command.key())
                    ? new Decision.Replayed(kept.get(), List.of())
                    : new Decision.Refused(otherRequest(command.key()));
        }
        return switch (decide(state, command.inner(), wallMillis)) {
            case Decision.Accepted(List<Change> accepted) -> {
                List<Change> changes = new ArrayList<>(accepted);
                changes.add(new Change.ReplyKept(KeptReply.done(command.key(), command.text())));
                yield new Decision.Accepted(changes);
            }
            case Decision.Refused(Failure failure) -> {
                // The catalog looks again: this is no answer.
                if (failure.code().equals(STALE)) yield new Decision.Refused(failure);
                KeptReply reply = KeptReply.refused(command.key(), failure);
                yield new Decision.Replayed(reply, List.of(new Change.ReplyKept(reply)));
            }
            case Decision.Replayed replayed -> replayed;
        };
    }

    /// Tables of other catalogs are all kept in one namespace, by uuid and without a location.
    private static Decision holdChannel(CatalogState state, Command.HoldChannel command) {
        if (!command.isForeign() && state.nameOf(command.uuid()).isEmpty()) return noTable(command.table());
        return ChannelRules.hold(state, command, command.isForeign() ? foreign(state, command.uuid()) : List.of());
    }

    /// What makes a table of another catalog known by its uuid.
    private static List<Change> foreign(CatalogState state, UUID uuid) {
        List<Change> changes = new ArrayList<>();
        if (state.space(FOREIGN).isEmpty()) changes.add(new Change.SpaceCreated(FOREIGN, Map.of()));
        if (state.nameOf(uuid).isEmpty())
            changes.add(new Change.TableCreated(new TableName(FOREIGN, uuid.toString()), uuid, ""));
        return changes;
    }

    private static Decision noteClaims(CatalogState state, Command.NoteClaims command) {
        List<Change> changes = foreign(state, command.uuid());
        changes.add(new Change.TableCommitted(command.uuid(), "", Map.of(), command.claims()));
        return new Decision.Accepted(changes);
    }

    private static Decision stale(TableName table) {
        return Decision.refused(
                CONFLICT, STALE, "Cannot commit: " + table.display() + " was changed by another commit");
    }

    /// The failure that says that the key belongs to another request.
    public static Failure otherRequest(RequestKey key) {
        return new Failure(
                Failure.Kind.INVALID,
                "UnprocessableEntityException",
                "The Idempotency-Key " + key.key() + " came with another request before: use a new key for a new one");
    }

    private static Decision noSpace(String path) {
        return new Decision.Refused(missingSpace(path));
    }

    private static Decision noTable(TableName name) {
        return new Decision.Refused(missingTable(name));
    }

    /// The failure that says that there is no such namespace.
    public static Failure missingSpace(String path) {
        return new Failure(NOT_FOUND, "NoSuchNamespaceException", "Namespace does not exist: " + Space.display(path));
    }

    /// The failure that says that there is no such table.
    public static Failure missingTable(TableName name) {
        return new Failure(NOT_FOUND, "NoSuchTableException", "Table does not exist: " + name.display());
    }

    private static Decision exists(TableName name) {
        return Decision.refused(EXISTS, "AlreadyExistsException", "Table already exists: " + name.display());
    }

    private static Decision uuidTaken(CatalogState state, UUID uuid) {
        String holder = state.nameOf(uuid).map(TableName::display).orElse("");
        return Decision.refused(
                EXISTS,
                "AlreadyExistsException",
                "A table with uuid " + uuid + " is in this catalog already: " + holder);
    }
}
