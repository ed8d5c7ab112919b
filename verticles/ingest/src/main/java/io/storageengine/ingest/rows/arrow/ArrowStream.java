package io.storageengine.ingest.rows.arrow;

import io.storageengine.ingest.rows.cells.Cells;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;
import org.apache.arrow.flatbuf.DictionaryBatch;
import org.apache.arrow.flatbuf.Message;
import org.apache.arrow.flatbuf.MessageHeader;
import org.apache.arrow.flatbuf.MetadataVersion;
import org.apache.arrow.flatbuf.RecordBatch;
import org.apache.arrow.flatbuf.Schema;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.types.pojo.Field;
import org.jspecify.annotations.Nullable;

/// The batches of an Arrow IPC stream, read one by one. Arrow's own reader believes what a stream says of itself:
/// it takes memory for lengths before their bytes are there, follows offsets that go round in circles, and hands
/// out columns that are not checked. Hence this one; of Arrow it uses the messages' form and the types.
///
/// What is wrong with a stream as a whole ends it: `FailureException`, `INVALID`. Not thread-safe.
public final class ArrowStream implements AutoCloseable {
    /// Of one batch, and of all dictionaries, where memory is not short.
    private static final long BYTES_MAX = 256L << 20;

    /// A request must not wait for the memory that it holds itself.
    private static final int SHARE_OF_MEMORY = 4;

    private final IpcMessages messages;
    private final long bytesMax;
    private final BufferAllocator allocator;
    private final Map<Long, BatchReader.Dictionary> dictionaries = new HashMap<>();
    /// Dictionaries that were replaced, and may still be pointed into.
    private final List<IpcBody> replaced = new ArrayList<>();

    private @Nullable IpcSchema schema;
    private @Nullable IpcBody body;
    private boolean isEnded;

    /// @param allocator pays for the batch at hand and the dictionaries
    /// @param memory is told of the bytes outside of Arrow's memory
    public ArrowStream(InputStream in, BufferAllocator allocator, LongConsumer memory) {
        this.messages = new IpcMessages(in, memory);
        this.allocator = allocator;
        this.bytesMax = Math.min(BYTES_MAX, allocator.getLimit() / SHARE_OF_MEMORY);
    }

    /// Some rows.
    public record Batch(Cells.Structs columns, int rows) {}

    /// The fields, from the stream's beginning alone.
    public static List<Field> fields(InputStream in, LongConsumer memory) throws IOException {
        IpcMessages messages = new IpcMessages(in, memory);
        try {
            return schema(messages).fields();
        } finally {
            messages.close();
        }
    }

    private static IpcSchema schema(IpcMessages messages) throws IOException {
        Message first = messages.next();
        if (first == null) {
            throw Invalid.because("it has no schema");
        }
        return IpcMessages.decoded(first, message -> {
            IpcMessages.check(message);
            boolean isSchema = message.headerType() == MessageHeader.Schema && message.bodyLength() == 0;
            Invalid.unless(isSchema, "it does not begin with a schema");
            return IpcSchema.of((Schema) message.header(new Schema()));
        });
    }

    /// Bytes of the stream that were read.
    public long bytes() {
        return messages.bytes();
    }

    /// The next batch, good until the next call; null at the end.
    ///
    /// @throws org.apache.arrow.memory.OutOfMemoryException when the allocator has no room for it
    public @Nullable Batch next() throws IOException {
        if (schema == null) {
            schema = schema(messages);
        }
        closeBody();
        while (!isEnded) {
            Message message = messages.next();
            if (message == null) {
                isEnded = true;
                return null;
            }
            IpcMessages.decoded(message, checked -> {
                IpcMessages.check(checked);
                return checked;
            });
            byte type = IpcMessages.decoded(message, Message::headerType);
            if (type == MessageHeader.RecordBatch) {
                return batch(message, schema);
            }
            Invalid.unless(type == MessageHeader.DictionaryBatch, "a message is neither a batch nor a dictionary");
            dictionary(message, schema);
        }
        return null;
    }

    private Batch batch(Message message, IpcSchema schema) throws IOException {
        RecordBatch header = IpcMessages.decoded(message, checked -> (RecordBatch) checked.header(new RecordBatch()));
        IpcBody bytes = body(message, header);
        body = bytes;
        return IpcMessages.decoded(header, checked -> {
            BatchReader reader = new BatchReader(checked, bytes, isOld(message), dictionaries);
            int rows = reader.rows();
            List<Cells> columns = new ArrayList<>();
            for (Field field : schema.fields()) {
                columns.add(reader.read(field, rows));
            }
            reader.end();
            List<String> names = schema.fields().stream().map(Field::getName).toList();
            return new Batch(new NestedCells.Structs(new Column("rows", rows, null), names, columns), rows);
        });
    }

    private static boolean isOld(Message message) {
        return message.version() == MetadataVersion.V4;
    }

    private IpcBody body(Message message, RecordBatch header) throws IOException {
        Invalid.unless(header != null, "a batch has no header");
        long length = IpcMessages.decoded(message, checked -> IpcMessages.bodyLength(checked, bytesMax));
        boolean isCompressed = IpcMessages.decoded(header, IpcBody::isCompressed);
        return new IpcBody(messages.body(length, allocator), length, isCompressed, bytesMax, allocator);
    }

    private void dictionary(Message message, IpcSchema schema) throws IOException {
        DictionaryBatch header =
                IpcMessages.decoded(message, checked -> (DictionaryBatch) checked.header(new DictionaryBatch()));
        Invalid.unless(header != null, "a dictionary has no header");
        long id = IpcMessages.decoded(header, DictionaryBatch::id);
        Field field = schema.dictionaries().get(id);
        if (field == null) {
            throw Invalid.because("a dictionary is of no field");
        }
        Invalid.unless(
                !IpcMessages.decoded(header, DictionaryBatch::isDelta),
                "its dictionaries come in parts; send them whole (replaced ones are fine)");
        RecordBatch data = IpcMessages.decoded(header, DictionaryBatch::data);
        IpcBody bytes = body(message, data);
        boolean kept = false;
        try {
            BatchReader.Dictionary values = IpcMessages.decoded(data, checked -> {
                BatchReader reader = new BatchReader(checked, bytes, isOld(message), dictionaries);
                int length = reader.rows();
                Cells cells = reader.read(field, length);
                reader.end();
                return new BatchReader.Dictionary(cells, length, bytes);
            });
            long others = dictionaryBytes();
            Invalid.unless(
                    bytes.bytes() <= bytesMax - others, "its dictionaries have more than " + bytesMax + " bytes");
            kept = true;
            replace(dictionaries.put(id, values), schema);
        } finally {
            if (!kept) {
                bytes.close();
            }
        }
    }

    private long dictionaryBytes() {
        return dictionaries.values().stream()
                        .mapToLong(dictionary -> dictionary.body().bytes())
                        .sum()
                + replaced.stream().mapToLong(IpcBody::bytes).sum();
    }

    private void replace(BatchReader.@Nullable Dictionary before, IpcSchema schema) {
        if (before != null && schema.isNested()) {
            replaced.add(before.body());
        } else if (before != null) {
            before.body().close();
        }
    }

    private void closeBody() {
        if (body != null) {
            body.close();
            body = null;
        }
    }

    @Override
    public void close() {
        closeBody();
        dictionaries.values().forEach(dictionary -> dictionary.body().close());
        dictionaries.clear();
        replaced.forEach(IpcBody::close);
        replaced.clear();
        messages.close();
    }
}
