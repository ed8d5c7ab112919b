package io.storageengine.ingest.rows;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.compression.CompressionCodec;
import org.apache.arrow.vector.compression.CompressionUtil;
import org.apache.arrow.vector.dictionary.DictionaryProvider;
import org.apache.arrow.vector.ipc.ArrowStreamWriter;
import org.apache.arrow.vector.ipc.message.IpcOption;
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

    /// A batch whose buffers are compressed with zstd.
    public static byte[] compressed(List<Field> fields, Consumer<VectorSchemaRoot> fill) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (BufferAllocator allocator = new RootAllocator();
                VectorSchemaRoot root = VectorSchemaRoot.create(new Schema(fields), allocator);
                ArrowStreamWriter writer = new ArrowStreamWriter(
                        root,
                        new DictionaryProvider.MapDictionaryProvider(),
                        Channels.newChannel(out),
                        IpcOption.DEFAULT,
                        new Zstd(),
                        CompressionUtil.CodecType.ZSTD)) {
            root.allocateNew();
            fill.accept(root);
            writer.start();
            writer.writeBatch();
            writer.end();
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return out.toByteArray();
    }

    /// Arrow's own is in a library that nothing else needs.
    private static final class Zstd implements CompressionCodec.Factory, CompressionCodec {
        @Override
        public CompressionCodec createCodec(CompressionUtil.CodecType type) {
            return this;
        }

        @Override
        public CompressionCodec createCodec(CompressionUtil.CodecType type, int level) {
            return this;
        }

        @Override
        public ArrowBuf compress(BufferAllocator allocator, ArrowBuf plain) {
            byte[] bytes = new byte[(int) plain.writerIndex()];
            plain.getBytes(0, bytes);
            byte[] packed = com.github.luben.zstd.Zstd.compress(bytes);
            ArrowBuf target = allocator.buffer(8L + packed.length);
            target.setLong(0, bytes.length);
            target.setBytes(8, packed);
            target.writerIndex(8L + packed.length);
            plain.close();
            return target;
        }

        @Override
        public ArrowBuf decompress(BufferAllocator allocator, ArrowBuf packed) {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompressionUtil.CodecType getCodecType() {
            return CompressionUtil.CodecType.ZSTD;
        }
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
