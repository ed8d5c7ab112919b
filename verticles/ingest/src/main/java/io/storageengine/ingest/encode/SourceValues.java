package io.storageengine.ingest.encode;

import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import java.util.function.Function;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.DecimalVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.FixedSizeBinaryVector;
import org.apache.arrow.vector.NullVector;
import org.apache.arrow.vector.VarBinaryVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;

/// Reads values of Arrow vectors as Iceberg represents them in memory.
final class SourceValues {
    private SourceValues() {}

    /// A reader of values that are not null.
    ///
    /// @param source the type that the vector was written under
    /// @param target the type that values are read as: the same, or what it was since widened to
    static Function<Integer, Object> reader(FieldVector vector, Type source, Type target) {
        ArrowBuf data = vector instanceof NullVector ? ArrowFeed.EMPTY : vector.getDataBuffer();
        return switch (source.typeId()) {
            case BOOLEAN -> row -> ((BitVector) vector).get(row) != 0;
            case INTEGER ->
                target.typeId() == Type.TypeID.LONG
                        ? row -> (long) data.getInt((long) row << 2)
                        : row -> data.getInt((long) row << 2);
            case DATE -> row -> data.getInt((long) row << 2);
            case LONG, TIME, TIMESTAMP, TIMESTAMP_NANO -> row -> data.getLong((long) row << 3);
            case FLOAT ->
                target.typeId() == Type.TypeID.DOUBLE
                        ? row -> (double) data.getFloat((long) row << 2)
                        : row -> data.getFloat((long) row << 2);
            case DOUBLE -> row -> data.getDouble((long) row << 3);
            case DECIMAL -> row -> decimal((DecimalVector) vector, row, (Types.DecimalType) source);
            case STRING -> row -> new String(((VarCharVector) vector).get(row), StandardCharsets.UTF_8);
            case BINARY -> row -> ByteBuffer.wrap(((VarBinaryVector) vector).get(row));
            case FIXED -> row -> ByteBuffer.wrap(((FixedSizeBinaryVector) vector).get(row));
            case UUID -> row -> uuid(((FixedSizeBinaryVector) vector).get(row));
            case UNKNOWN ->
                _ -> {
                    throw new IllegalStateException("type unknown has no values");
                };
            case STRUCT, LIST, MAP, VARIANT, GEOMETRY, GEOGRAPHY ->
                throw new IllegalArgumentException("no partitions by type " + source);
        };
    }

    private static BigDecimal decimal(DecimalVector vector, int row, Types.DecimalType type) {
        return vector.getObjectNotNull(row).setScale(type.scale());
    }

    private static UUID uuid(byte[] bytes) {
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        return new UUID(buffer.getLong(), buffer.getLong());
    }
}
