package io.storageengine.catalog.state;

import io.storageengine.core.Failure;
import io.storageengine.core.message.ChannelHold;
import io.storageengine.core.message.Claim;
import io.storageengine.core.message.Watermark;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/// What somebody wants of a catalog. [Decisions] turns it into changes or a refusal.
public sealed interface Command {
    /// Makes a namespace, and those above it that are missing.
    record CreateSpace(String space, Map<String, String> properties) implements Command {
        public CreateSpace {
            properties = Map.copyOf(properties);
        }
    }

    /// Sets and removes properties; a key that is not there is not removed.
    record ChangeSpace(String space, List<String> removed, Map<String, String> set) implements Command {
        public ChangeSpace {
            removed = List.copyOf(removed);
            set = Map.copyOf(set);
        }
    }

    /// Drops an empty namespace.
    record DropSpace(String space) implements Command {}

    /// Puts a new table in place. `staged` tells how the refusal reads when the name is taken: by the failed
    /// requirement of a staged create, or as a plain create.
    record CreateTable(TableName table, UUID uuid, String location, boolean staged) implements Command {}

    /// Puts an existing metadata file in place, over the table of that name when `overwrite`.
    record RegisterTable(TableName table, UUID uuid, String location, boolean overwrite) implements Command {}

    /// Moves any number of tables at once: all of them or none.
    record CommitTables(List<TableCommit> tables) implements Command {
        public CommitTables {
            tables = List.copyOf(tables);
        }
    }

    /// Gives a table another name.
    record RenameTable(TableName from, TableName to) implements Command {}

    /// Brings back what was dropped last under a name: a table with its rows' marks, or a view.
    ///
    /// @param uuid which one
    record Restore(TableName name, UUID uuid) implements Command {}

    /// Sets the catalog back to an earlier state.
    ///
    /// @param seen the catalog that all this was prepared on
    /// @param files metadata files that were found to be there
    /// @param absent tables of the target that are not in the catalog, and were found not to be another's
    /// @param ingested tables that ingestion has committed to since
    record RestoreAsOf(CatalogState target, CatalogState seen, Set<String> files, Set<UUID> absent, Set<UUID> ingested)
            implements Command {
        public RestoreAsOf {
            files = Set.copyOf(files);
            absent = Set.copyOf(absent);
            ingested = Set.copyOf(ingested);
        }
    }

    /// A command of a principal whom the entry is to name.
    record By(String principal, Command inner) implements Command {}

    /// Forgets a table.
    record DropTable(TableName table) implements Command {}

    /// Puts a view in place: a new one or an existing metadata file.
    record CreateView(TableName view, UUID uuid, String location) implements Command {}

    /// Gives a view another metadata file.
    ///
    /// @param view its name
    /// @param uuid which view
    /// @param expectedLocation the metadata file that the commit was made on
    /// @param location the new metadata file
    record CommitView(TableName view, UUID uuid, String expectedLocation, String location) implements Command {}

    /// Gives a view another name.
    record RenameView(TableName from, TableName to) implements Command {}

    /// Forgets a view.
    record DropView(TableName view) implements Command {}

    /// Notes claims for a table of another catalog, which is known here by its uuid alone; a later note on a
    /// key replaces an earlier one.
    record NoteClaims(UUID uuid, List<Claim> claims) implements Command {
        public NoteClaims {
            claims = List.copyOf(claims);
        }
    }

    /// Gives a channel another holder; see [io.storageengine.core.message.HoldChannel].
    ///
    /// @param table its name, for messages
    /// @param uuid which table
    /// @param isForeign whether the table is another catalog's, and known here by its uuid alone
    /// @param channel the channel's name
    /// @param expected who must hold it now; empty when nobody does
    /// @param next who holds it then; empty when it is retired
    record HoldChannel(
            TableName table,
            UUID uuid,
            boolean isForeign,
            String channel,
            Optional<ChannelHold> expected,
            Optional<ChannelHold> next)
            implements Command {}

    /// Forgets a table that another catalog is to take over, or whose files are to be deleted; nothing of it
    /// may have moved since its metadata was read.
    ///
    /// @param purges true when its files are to be deleted: then it cannot be registered again
    record UnregisterTable(TableName table, String expectedLocation, boolean purges) implements Command {}

    /// Several commands as one: each is decided on what those before it leave behind; one that is refused
    /// refuses all.
    record Together(List<Command> commands) implements Command {
        public Together {
            commands = List.copyOf(commands);
        }
    }

    /// A command of a request that may come again: it is done once, and its answer is kept in the same entry,
    /// also when it is a refusal.
    ///
    /// @param text what the operation needs to give the same answer again, see [KeptReply#text]
    record Keyed(Command inner, RequestKey key, String text) implements Command {}

    /// Is refused, for a reason that was found before anything was to be decided; for [Keyed].
    record Refuse(Failure failure) implements Command {}

    /// One table's part of a commit.
    ///
    /// @param table its name
    /// @param isNamed true when the table must have that name; else the name is for messages and the uuid alone
    ///     tells which table
    /// @param uuid which table
    /// @param expectedLocation the metadata file that the commit was made on
    /// @param location the new metadata file; the same when only marks and claims move
    /// @param marks what ingestion covers, at most one per log
    /// @param claims what ingestion covers
    record TableCommit(
            TableName table,
            boolean isNamed,
            UUID uuid,
            String expectedLocation,
            String location,
            List<Watermark> marks,
            List<Claim> claims) {
        public TableCommit {
            marks = List.copyOf(marks);
            claims = List.copyOf(claims);
        }
    }
}
