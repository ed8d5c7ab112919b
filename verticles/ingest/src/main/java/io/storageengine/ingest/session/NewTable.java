package io.storageengine.ingest.session;

import io.storageengine.core.Failure;
import io.storageengine.core.FailureException;
import io.storageengine.core.Outcome;
import io.storageengine.core.message.EndedRows;
import io.storageengine.core.message.TableRef;
import io.storageengine.ingest.table.OpenTable;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.apache.iceberg.Schema;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.rest.responses.LoadTableResponse;
import org.jspecify.annotations.Nullable;

/// A table that `create=true` asks for. It is made at the last moment, when its first rows are parsed and about
/// to go into the log: a request that is refused or broken off has made none. It is never dropped again, since
/// nobody could tell whether somebody else has begun to use it; and it is there before an entry of the log
/// names it, so that a kill in between costs no rows.
///
/// Data files of a request that is too large for memory need a place before that: for them the table is
/// *staged* (REST API, `stage-create`), which tells where it will lie and makes nothing. Staging needs the
/// namespace, which is dropped again, if it is empty, when the request made it and then no table.
///
/// Whoever is second to make a table puts the rows into the first one's when its columns are the same. If not,
/// rows that are still held as text are checked against it as against any table; others are to be sent again.
///
/// What remains: a catalog elsewhere that cannot stage makes the table at a large request's first data file; a
/// kill, or a log that cannot be written, right after the table was made leaves it empty; a kill during a large
/// request leaves the namespace.
final class NewTable implements Destination, AutoCloseable {
    private static final String OTHER = "TableMadeMeanwhile";
    private final Desk desk;
    private final TableRef ref;
    private final Schema schema;
    private final TableCreator creator;
    private @Nullable OpenTable staged;
    private @Nullable OpenTable made;
    private @Nullable OpenTable other;

    /// @param schema of the rows, field ids from 1 as a new table has them
    NewTable(Desk desk, TableRef ref, Schema schema) {
        this.desk = desk;
        this.ref = ref;
        this.schema = schema;
        this.creator = new TableCreator(desk.ask(), desk.askTimeoutMillis(), ref, schema);
    }

    @Override
    public Schema schema() {
        return schema;
    }

    @Override
    public OpenTable forFiles() {
        if (made != null) return made;
        if (staged != null) return staged;
        return switch (creator.stage()) {
            case Outcome.Ok<LoadTableResponse>(LoadTableResponse answer)
            when answer.tableMetadata().schema().sameSchema(schema) -> {
                OpenTable table = new OpenTable(ref, answer.tableMetadata(), Map.of(), vended(answer));
                refuse(table);
                staged = table;
                yield table;
            }
            case Outcome.Ok<LoadTableResponse>(LoadTableResponse otherSchema) -> forLog();
            case Outcome.Failed<LoadTableResponse>(Failure failure) -> unstaged(failure);
        };
    }

    /// The table is there already, or the catalog cannot stage.
    private OpenTable unstaged(Failure failure) {
        if (failure.kind() != Failure.Kind.EXISTS && failure.kind() != Failure.Kind.INVALID)
            throw new FailureException(failure);
        return forLog();
    }

    private static Map<String, String> vended(LoadTableResponse answer) {
        Map<String, String> properties = new HashMap<>(answer.config());
        answer.credentials().forEach(credential -> properties.putAll(credential.config()));
        return properties;
    }

    @Override
    public OpenTable forLog() {
        if (made != null) return made;
        Outcome<?> created = staged == null ? creator.create() : creator.commit(staged.metadata());
        Outcome<OpenTable> loaded = desk.tables().load(ref);
        if (!loaded.isOk()) created.orThrow();
        OpenTable table = loaded.orThrow();
        refuse(table);
        if (!takesWhatIsThere(table)) {
            other = table;
            throw new FailureException(new Failure(
                    Failure.Kind.THROTTLED,
                    OTHER,
                    "Another request made " + ref.display()
                            + " meanwhile, with other columns: nothing of this one was taken, send it again"));
        }
        made = table;
        return table;
    }

    private static void refuse(OpenTable table) {
        Request.refusal(table).ifPresent(failure -> {
            throw new FailureException(failure);
        });
    }

    /// Whether the parsed rows, and the files written of them, fit into a table that somebody made.
    private boolean takesWhatIsThere(OpenTable table) {
        TableMetadata metadata = table.metadata();
        Schema same = metadata.schemasById().get(schema.schemaId());
        if (same == null || !same.sameSchema(schema)) return false;
        if (staged == null || metadata.location().equals(staged.metadata().location())) return true;
        return metadata.spec().equals(staged.metadata().spec())
                && table.vended().isEmpty();
    }

    /// Whether a request failed because the table is there now and has other columns.
    static boolean isOther(Outcome<EndedRows> outcome) {
        return outcome instanceof Outcome.Failed<EndedRows>(Failure failure)
                && failure.code().equals(OTHER);
    }

    /// The table with other columns.
    OpenTable other() {
        return Objects.requireNonNull(other);
    }

    @Override
    public void close() {
        if (made == null) creator.dropNamespaces();
    }
}
