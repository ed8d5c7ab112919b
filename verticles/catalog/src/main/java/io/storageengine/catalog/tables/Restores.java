package io.storageengine.catalog.tables;

import io.storageengine.catalog.iceberg.MetadataFiles;
import io.storageengine.catalog.iceberg.Refusals;
import io.storageengine.catalog.iceberg.ViewFiles;
import io.storageengine.catalog.log.CatalogLog;
import io.storageengine.catalog.log.Past;
import io.storageengine.catalog.state.CatalogState;
import io.storageengine.catalog.state.Command;
import io.storageengine.catalog.state.Decisions;
import io.storageengine.catalog.state.RequestKey;
import io.storageengine.catalog.state.RestoreRules;
import io.storageengine.catalog.state.TableName;
import io.storageengine.core.Failure;
import io.storageengine.core.FailureException;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;

/// Sets a catalog back to where it stood. A metadata file is looked at before anything
/// points at it again. Failures are thrown as [FailureException].
public final class Restores {
    private static final int ATTEMPTS = 20;

    private final CatalogLog log;
    private final Submissions submissions;
    private final MetadataFiles files;
    private final ViewFiles viewFiles;

    public Restores(CatalogLog log, Submissions submissions, MetadataFiles files, ViewFiles viewFiles) {
        this.log = log;
        this.submissions = submissions;
        this.files = files;
        this.viewFiles = viewFiles;
    }

    /// Sets the catalog back to its state as of an entry, by one new entry. Reads the log from the checkpoint
    /// before the entry to its end, and the metadata files that are to be pointed at again.
    public void asOf(long entry, RequestKey key) {
        CatalogState target = log.past().at(entry);
        Set<String> checked = new HashSet<>();
        Past.Since since = Past.Since.entry(entry);
        for (int i = 0; i < ATTEMPTS; i++) {
            CatalogState now = log.state();
            since = log.past().since(since);
            Set<UUID> absent = RestoreRules.absent(now, target);
            checkOurs(absent, since, target);
            check(RestoreRules.tableFiles(now, target), checked, files::read);
            check(RestoreRules.viewFiles(now, target), checked, viewFiles::read);
            try {
                submissions.submit(new Command.RestoreAsOf(target, checked, absent, since.ingested()), key);
                return;
            } catch (FailureException e) {
                if (!e.failure().code().equals(Decisions.STALE)) throw e;
            }
        }
        throw Refusals.conflict("Cannot restore: the catalog is changed by others all the time");
    }

    private static void checkOurs(Set<UUID> absent, Past.Since since, CatalogState target) {
        for (UUID uuid : absent) {
            if (!since.handedOver().contains(uuid)) continue;
            String name = target.nameOf(uuid).map(TableName::display).orElse("");
            throw Refusals.conflict(
                    "The catalog cannot be set back that far: table " + name + " was purged or unregistered since");
        }
    }

    private static void check(Set<String> wanted, Set<String> checked, Consumer<String> read) {
        for (String location : wanted) {
            if (checked.contains(location)) continue;
            checkThere(read, location);
            checked.add(location);
        }
    }

    private static void checkThere(Consumer<String> read, String location) {
        try {
            read.accept(location);
        } catch (FailureException e) {
            if (e.failure().kind() != Failure.Kind.NOT_FOUND) throw e;
            throw Refusals.conflict("It cannot be restored: its metadata file is deleted: " + location);
        }
    }
}
