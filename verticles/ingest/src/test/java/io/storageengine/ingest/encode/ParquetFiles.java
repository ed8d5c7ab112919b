package io.storageengine.ingest.encode;

import io.storageengine.core.message.RowOptions.Format;
import io.storageengine.core.message.RowOptions.OnError;
import io.storageengine.ingest.rows.JsonRows;
import io.storageengine.ingest.rows.RowBatch;
import io.storageengine.ingest.rows.RowLimits;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.SortOrder;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.data.parquet.GenericParquetReaders;
import org.apache.iceberg.inmemory.InMemoryOutputFile;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.io.InputFile;
import org.apache.iceberg.parquet.Parquet;

/// Data files in memory: made by the encoder, read by Iceberg.
final class ParquetFiles {
    private final Map<String, InMemoryOutputFile> files = new LinkedHashMap<>();

    /// Encodes NDJSON, by way of Arrow IPC as a replayed write-ahead log would, and answers the data files.
    List<DataFile> encode(Schema schema, PartitionSpec spec, Map<String, String> properties, String ndjson)
            throws IOException {
        try (BufferAllocator allocator = new RootAllocator()) {
            JsonRows rows = JsonRows.open(
                    new ByteArrayInputStream(ndjson.getBytes(StandardCharsets.UTF_8)),
                    Format.NDJSON,
                    OnError.REFUSE,
                    schema,
                    RowLimits.DEFAULT,
                    allocator,
                    _ -> {});
            List<RowBatch> batches = new ArrayList<>();
            try {
                RowBatch batch = rows.next(100, 1 << 20);
                while (batch != null) {
                    batches.add(batches.size() % 2 == 0 ? batch : again(batch, allocator));
                    batch = rows.next(100, 1 << 20);
                }
                if (rows.faults().rows() > 0) {
                    throw new AssertionError(rows.faults().toString());
                }
                return new ParquetEncoder(spec, SortOrder.unsorted(), properties).encode(batches, (_, _) -> file());
            } finally {
                batches.forEach(RowBatch::close);
            }
        }
    }

    private static RowBatch again(RowBatch batch, BufferAllocator allocator) throws IOException {
        try (batch) {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            batch.writeIpc(Channels.newChannel(bytes));
            return RowBatch.readIpc(new ByteArrayInputStream(bytes.toByteArray()), batch.schema(), allocator);
        }
    }

    private InMemoryOutputFile file() {
        String name = "file-" + files.size();
        InMemoryOutputFile file = new InMemoryOutputFile(name);
        files.put(name, file);
        return file;
    }

    InputFile input(DataFile file) {
        return java.util.Objects.requireNonNull(files.get(file.location())).toInputFile();
    }

    /// The rows of a file as Iceberg's generic reader has them.
    List<Record> read(Schema schema, DataFile file) throws IOException {
        return read(schema, input(file));
    }

    static List<Record> read(Schema schema, InputFile file) throws IOException {
        try (CloseableIterable<Record> rows = Parquet.read(file)
                .project(schema)
                .createReaderFunc(inFile -> GenericParquetReaders.buildReader(schema, inFile))
                .build()) {
            List<Record> read = new ArrayList<>();
            rows.forEach(read::add);
            return read;
        }
    }
}
