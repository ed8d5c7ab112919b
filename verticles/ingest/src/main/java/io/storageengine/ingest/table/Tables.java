package io.storageengine.ingest.table;

import io.storageengine.core.Ask;
import io.storageengine.core.FailureException;
import io.storageengine.core.Outcome;
import io.storageengine.core.message.LoadTable;
import io.storageengine.core.message.LoadedTable;
import io.storageengine.core.message.StorageOf;
import io.storageengine.core.message.TableRef;
import io.storageengine.iceberg.TableFiles;
import io.storageengine.iceberg.TableJson;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.io.FileIO;

/// Loads tables from the catalog room. Parsed metadata is kept, so that a table is parsed once per change.
/// Thread-safe.
public final class Tables {
    private static final int PARSED_MAX = 256;
    private final Ask ask;
    private final TableFiles files;
    private final long askTimeoutMillis;
    private final Map<TableRef, TableMetadata> parsed = new LinkedHashMap<>(16, 0.75f, true);

    public Tables(Ask ask, TableFiles files, long askTimeoutMillis) {
        this.ask = ask;
        this.files = files;
        this.askTimeoutMillis = askTimeoutMillis;
    }

    /// The table of that name now; failures as of [LoadTable], and `CORRUPT`.
    public Outcome<OpenTable> load(TableRef table) {
        return load(table, "");
    }

    /// The table of that uuid now, whatever it is called.
    public Outcome<OpenTable> load(TableRef table, String uuid) {
        return ask.ask(new LoadTable(table, uuid), askTimeoutMillis).then(loaded -> open(table, loaded));
    }

    private Outcome<OpenTable> open(TableRef table, LoadedTable loaded) {
        try {
            TableMetadata metadata = parsed(table, loaded);
            return Outcome.ok(new OpenTable(table, metadata, loaded.watermarks(), loaded.ioProperties()));
        } catch (FailureException corrupt) {
            return Outcome.failed(corrupt.failure());
        }
    }

    private TableMetadata parsed(TableRef table, LoadedTable loaded) {
        synchronized (parsed) {
            TableMetadata known = parsed.get(table);
            if (known != null && loaded.metadataLocation().equals(known.metadataFileLocation())) return known;
        }
        TableMetadata metadata = TableJson.metadata(loaded.metadataLocation(), loaded.metadata());
        synchronized (parsed) {
            parsed.put(table, metadata);
            if (parsed.size() > PARSED_MAX)
                parsed.remove(parsed.keySet().iterator().next());
        }
        return metadata;
    }

    /// Access to the table's files; the caller closes it.
    public Outcome<FileIO> files(OpenTable table) {
        return ask.ask(new StorageOf(table.ref().catalog()), askTimeoutMillis)
                .map(storage -> files.open(storage, table.vended()));
    }
}
