package io.storageengine.catalog.tables;

import io.storageengine.catalog.iceberg.MetadataFiles;
import io.storageengine.catalog.iceberg.StoredMetadata;
import io.storageengine.catalog.log.CatalogLog;
import io.storageengine.catalog.state.Command;
import io.storageengine.catalog.state.Decision;
import io.storageengine.catalog.state.Decisions;
import io.storageengine.catalog.state.KeptReply;
import io.storageengine.catalog.state.RequestKey;
import io.storageengine.catalog.state.TableName;
import io.storageengine.core.Failure;
import io.storageengine.core.FailureException;
import java.util.UUID;

/// Brings the commands of requests into a catalog's log, each with its request's key when it has one, and tells
/// the answer that stands: the request's own, or the one that was given to it before.
///
/// The text that is kept for an answer with a table or view is its uuid and where its metadata file lay.
public final class Submissions {
    private static final int UUID_CHARS = 36;

    private final CatalogLog log;
    private final MetadataFiles files;

    public Submissions(CatalogLog log, MetadataFiles files) {
        this.log = log;
        this.files = files;
    }

    /// Submits a command whose answer needs no text.
    public void submit(Command command, RequestKey key) {
        submit(command, key, "");
    }

    /// Submits a command; the text of the answer that stands. A refusal is thrown.
    ///
    /// @param text of the answer when the command is done now
    public String submit(Command command, RequestKey key, String text) {
        return stands(log.submit(with(command, key, text)).orThrow(), text);
    }

    /// The command of a request with that key and principal; itself when there is neither.
    public static Command with(Command command, RequestKey key, String text) {
        Command keyed = key.isNone() ? command : new Command.Keyed(command, key, text);
        return key.principal().isEmpty() ? keyed : new Command.By(key.principal(), keyed);
    }

    /// The text of the answer that a decision gives; a refusal is thrown.
    ///
    /// @param text of the answer when the command was done now
    static String stands(Decision decision, String text) {
        return switch (decision) {
            case Decision.Accepted accepted -> text;
            case Decision.Refused(Failure failure) -> throw new FailureException(failure);
            case Decision.Replayed replayed -> text(replayed.reply());
        };
    }

    /// The text of an answer that was kept; a refusal is thrown.
    public static String text(KeptReply kept) {
        kept.failure().ifPresent(failure -> {
            throw new FailureException(failure);
        });
        return kept.text();
    }

    /// The text that is kept for an answer with this table.
    static String text(StoredMetadata stored) {
        return text(UUID.fromString(stored.metadata().uuid()), stored.location());
    }

    /// The text that is kept for an answer with a table or view.
    public static String text(UUID uuid, String location) {
        return uuid + location;
    }

    /// Which table or view a kept text is about.
    public static UUID uuid(String text) {
        return UUID.fromString(text.substring(0, UUID_CHARS));
    }

    /// Where the metadata file of a kept text lay.
    public static String location(String text) {
        return text.substring(UUID_CHARS);
    }

    /// The table of a kept text: as it was, or as it is now when that metadata file is gone; `NOT_FOUND` when
    /// the table is gone too.
    public StoredMetadata table(String text) {
        UUID uuid = uuid(text);
        String location = location(text);
        while (true) {
            try {
                return files.read(location);
            } catch (FailureException e) {
                if (e.failure().kind() != Failure.Kind.NOT_FOUND) throw e;
                String now = location(uuid);
                if (now.equals(location)) throw e;
                location = now;
            }
        }
    }

    private String location(UUID uuid) {
        return log.state()
                .table(uuid)
                .orElseThrow(() ->
                        new FailureException(Decisions.missingTable(new TableName("", "the table with uuid " + uuid))))
                .metadataLocation();
    }
}
