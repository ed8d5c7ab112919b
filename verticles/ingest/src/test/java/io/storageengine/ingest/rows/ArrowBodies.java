package io.storageengine.ingest.rows;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.dictionary.DictionaryProvider;
import org.apache.arrow.vector.ipc.ArrowStreamWriter;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;
import org.apache.iceberg.types.Types;

/// Arrow IPC streams for tests, written by Arrow itself.
public final class ArrowBodies {
    private ArrowBodies() {}

    public static Field field(String name, ArrowType type, Field... children) {
        return new Field(name, FieldType.nullable(type), List.of(children));
    }

    /// A stream of one batch that `fill` fills.
    public static byte[] of(List<Field> fields, Consumer<VectorSchemaRoot> fill) {
        try (BufferAllocator allocator = new RootAllocator();
                VectorSchemaRoot root = VectorSchemaRoot.create(new Schema(fields), allocator)) {
            root.allocateNew();
            fill.accept(root);
            return written(root, new DictionaryProvider.MapDictionaryProvider());
        }
    }

    /// The rows of an NDJSON body, as Arrow has them; variants as their JSON text.
    public static byte[] ofJson(org.apache.iceberg.Schema schema, String ndjson) {
        try (BufferAllocator allocator = new RootAllocator();
                RowBatch batch = Objects.requireNonNull(JsonRows.open(
                                new java.io.ByteArrayInputStream(Bodies.utf8(ndjson)),
                                io.storageengine.core.message.RowOptions.Format.NDJSON,
                                io.storageengine.core.message.RowOptions.OnError.REFUSE,
                                withTexts(schema),
                                RowLimits.DEFAULT,
                                allocator,
                                _ -> {})
                        .next(10_000, 1 << 28))) {
            return written(batch.columns(), new DictionaryProvider.MapDictionaryProvider());
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    private static org.apache.iceberg.Schema withTexts(org.apache.iceberg.Schema schema) {
        return new org.apache.iceberg.Schema(schema.columns().stream()
                .map(column -> column.type().isVariantType()
                        ? Types.NestedField.optional(column.fieldId(), column.name(), Types.StringType.get())
                        : column)
                .toList());
    }

    public static byte[] written(VectorSchemaRoot root, DictionaryProvider dictionaries) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (ArrowStreamWriter writer = new ArrowStreamWriter(root, dictionaries, Channels.newChannel(out))) {
            writer.start();
            writer.writeBatch();
            writer.end();
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return out.toByteArray();
    }
}
