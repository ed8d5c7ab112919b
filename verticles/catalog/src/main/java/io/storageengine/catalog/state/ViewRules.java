package io.storageengine.catalog.state;

import static io.storageengine.core.Failure.Kind.CONFLICT;
import static io.storageengine.core.Failure.Kind.EXISTS;
import static io.storageengine.core.Failure.Kind.NOT_FOUND;

import io.storageengine.core.Failure;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/// Decides commands about views, and what a view's name means for tables: pure. A name stands for a table or a
/// view, never both. The texts are those of Iceberg's reference implementation.
public final class ViewRules {
    private static final String ALREADY_EXISTS = "AlreadyExistsException";

    private ViewRules() {}

    static Decision create(CatalogState state, Command.CreateView command) {
        Optional<Failure> refusal = createRefusal(state, command.view());
        if (refusal.isPresent()) return new Decision.Refused(refusal.get());
        Optional<TableName> holder = state.viewNameOf(command.uuid());
        if (holder.isPresent()) return uuidTaken(command.uuid(), holder.get());
        return Decision.accepted(new Change.ViewCreated(command.view(), command.uuid(), command.location()));
    }

    /// Why no view of that name can be made; empty when one can.
    public static Optional<Failure> createRefusal(CatalogState state, TableName name) {
        if (state.space(name.space()).isEmpty()) return Optional.of(Decisions.missingSpace(name.space()));
        if (state.table(name).isPresent()) {
            return Optional.of(exists("Table with same name already exists: " + name.display()));
        }
        return state.view(name).map(view -> exists("View already exists: " + name.display()));
    }

    /// Why no table of that name can be made for a view's sake; empty when no view has the name.
    public static Optional<Failure> tableRefusal(CatalogState state, TableName name) {
        return state.view(name).map(view -> exists("View with same name already exists: " + name.display()));
    }

    static Decision commit(CatalogState state, Command.CommitView command) {
        Optional<ViewState> found = state.view(command.view());
        if (found.isEmpty() || !found.get().uuid().equals(command.uuid())) {
            return new Decision.Refused(missing(command.view()));
        }
        if (!found.get().metadataLocation().equals(command.expectedLocation())) {
            String message = "Cannot commit: " + command.view().display() + " was changed by another commit";
            return Decision.refused(CONFLICT, Decisions.STALE, message);
        }
        return Decision.accepted(new Change.ViewCommitted(command.uuid(), command.location()));
    }

    static Decision rename(CatalogState state, Command.RenameView command) {
        Optional<ViewState> from = state.view(command.from());
        if (from.isEmpty()) return new Decision.Refused(missing(command.from()));
        if (state.space(command.to().space()).isEmpty()) {
            return new Decision.Refused(Decisions.missingSpace(command.to().space()));
        }
        if (command.from().equals(command.to())) return new Decision.Accepted(List.of());
        if (state.table(command.to()).isPresent()) {
            return new Decision.Refused(cannotRename(command.from(), command.to(), "Table"));
        }
        if (state.view(command.to()).isPresent()) {
            return new Decision.Refused(cannotRename(command.from(), command.to(), "View"));
        }
        return Decision.accepted(new Change.ViewRenamed(from.get().uuid(), command.to()));
    }

    static Decision drop(CatalogState state, Command.DropView command) {
        Optional<ViewState> found = state.view(command.view());
        if (found.isEmpty()) return new Decision.Refused(missing(command.view()));
        return Decision.accepted(new Change.ViewDropped(found.get().uuid(), command.view()));
    }

    /// The failure that says that there is no such view.
    public static Failure missing(TableName name) {
        return new Failure(NOT_FOUND, "NoSuchViewException", "View does not exist: " + name.display());
    }

    /// The failure that says that the new name of a table or view is taken.
    ///
    /// @param by `Table` or `View`
    static Failure cannotRename(TableName from, TableName to, String by) {
        return exists("Cannot rename " + from.display() + " to " + to.display() + ". " + by + " already exists");
    }

    private static Failure exists(String message) {
        return new Failure(EXISTS, ALREADY_EXISTS, message);
    }

    private static Decision uuidTaken(UUID uuid, TableName holder) {
        String message = "A view with uuid " + uuid + " is in this catalog already: " + holder.display();
        return Decision.refused(EXISTS, ALREADY_EXISTS, message);
    }
}
