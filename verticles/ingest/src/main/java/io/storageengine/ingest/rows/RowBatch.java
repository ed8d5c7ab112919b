package io.storageengine.ingest.rows;

import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.WritableByteChannel;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowStreamReader;
import org.apache.arrow.vector.ipc.ArrowStreamWriter;
import org.apache.arrow.vector.util.TransferPair;
import org.apache.iceberg.Schema;

/// Rows that fit one schema, column by column ([ArrowTypes] has the layout).
///
/// Whoever holds a batch closes it once. It may be read by one thread after another.
public final class RowBatch implements AutoCloseable {
    private final VectorSchemaRoot columns;
    private final Schema schema;

    /// Takes over `columns`, whose fields are those of [ArrowTypes#schema].
    public RowBatch(VectorSchemaRoot columns, Schema schema) {
        if (columns.getFieldVectors().size() != schema.columns().size()) {
            throw new IllegalArgumentException("columns are not those of the schema");
        }
        this.columns = columns;
        this.schema = schema;
    }

    /// The table schema that the rows were checked against.
    public Schema schema() {
        return schema;
    }

    /// Its id in the table's metadata.
    public int schemaId() {
        return schema.schemaId();
    }

    public int rows() {
        return columns.getRowCount();
    }

    /// Bytes in use: about the length of [#writeIpc]. What is allocated for them can be twice as much.
    public long bytes() {
        long bytes = 0;
        for (FieldVector column : columns.getFieldVectors()) {
            bytes += column.getBufferSize();
        }
        return bytes;
    }

    /// The columns; still owned by this batch.
    public VectorSchemaRoot columns() {
        return columns;
    }

    /// Writes an Arrow IPC stream of one record batch. The channel stays open.
    public void writeIpc(WritableByteChannel out) throws IOException {
        try (ArrowStreamWriter writer = new ArrowStreamWriter(columns, null, new OpenChannel(out))) {
            writer.start();
            writer.writeBatch();
            writer.end();
        }
    }

    /// Reads what [#writeIpc] wrote. The stream stays open.
    ///
    /// @param schema the schema with the id that the rows were written under
    /// @throws IOException when the stream is not of that schema, or broken
    public static RowBatch readIpc(InputStream in, Schema schema, BufferAllocator allocator) throws IOException {
        try (ArrowStreamReader reader = new ArrowStreamReader(in, allocator)) {
            VectorSchemaRoot read = reader.getVectorSchemaRoot();
            if (!ArrowTypes.sameLayout(read.getSchema(), ArrowTypes.schema(schema))) {
                throw new IOException("the batch does not have the layout of schema " + schema.schemaId());
            }
            if (!reader.loadNextBatch()) {
                throw new IOException("the stream has no batch");
            }
            return new RowBatch(transfer(read, allocator), schema);
        }
    }

    private static VectorSchemaRoot transfer(VectorSchemaRoot from, BufferAllocator allocator) {
        VectorSchemaRoot to = VectorSchemaRoot.create(from.getSchema(), allocator);
        for (int i = 0; i < from.getFieldVectors().size(); i++) {
            TransferPair pair = from.getVector(i).makeTransferPair(to.getVector(i));
            pair.transfer();
        }
        to.setRowCount(from.getRowCount());
        return to;
    }

    @Override
    public void close() {
        columns.close();
    }

    /// Arrow's writers close their channel; the caller's stays open.
    private record OpenChannel(WritableByteChannel out) implements WritableByteChannel {
        @Override
        public int write(java.nio.ByteBuffer bytes) throws IOException {
            return out.write(bytes);
        }

        @Override
        public boolean isOpen() {
            return out.isOpen();
        }

        @Override
        public void close() {}
    }
}
