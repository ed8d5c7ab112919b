package io.storageengine.ingest.encode;

import io.storageengine.ingest.rows.RowBatch;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.complex.StructVector;
import org.apache.iceberg.PartitionField;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.transforms.Transform;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.jspecify.annotations.Nullable;

/// The value that one partition field has for the rows of a batch.
final class PartitionValue {
    private final List<FieldVector> way;
    private final Function<Integer, @Nullable Object> read;
    private final Function<Object, Object> transform;
    private @Nullable Object lastSource;
    private @Nullable Object lastValue;

    private PartitionValue(
            List<FieldVector> way, Function<Integer, @Nullable Object> read, Function<Object, Object> transform) {
        this.way = way;
        this.read = read;
        this.transform = transform;
    }

    static PartitionValue of(PartitionField field, PartitionSpec spec, RowBatch batch) {
        Type target = Objects.requireNonNull(spec.schema().findType(field.sourceId()));
        Function<Object, Object> transform = bound(field.transform(), target);
        Type source = batch.schema().findType(field.sourceId());
        if (source == null) {
            // Rows from before the column was added: readers will see its initial default.
            Object value = spec.schema().findField(field.sourceId()).initialDefault();
            return new PartitionValue(List.of(), _ -> value, transform);
        }
        List<FieldVector> way = way(batch, field.sourceId());
        Function<Integer, @Nullable Object> read = SourceValues.reader(way.getLast(), source, target);
        return new PartitionValue(way, read, transform);
    }

    @SuppressWarnings("unchecked")
    private static Function<Object, Object> bound(Transform<?, ?> transform, Type type) {
        return ((Transform<Object, Object>) transform).bind(type);
    }

    /// The vectors from a column down to a field, through structs only.
    private static List<FieldVector> way(RowBatch batch, int fieldId) {
        Schema schema = batch.schema();
        List<FieldVector> way = new ArrayList<>();
        Types.StructType struct = schema.asStruct();
        List<? extends FieldVector> vectors = batch.columns().getFieldVectors();
        while (true) {
            int index = holder(struct, fieldId);
            Types.NestedField field = struct.fields().get(index);
            FieldVector vector = vectors.get(index);
            way.add(vector);
            if (field.fieldId() == fieldId) {
                return way;
            }
            struct = field.type().asStructType();
            vectors = ((StructVector) vector).getChildrenFromFields();
        }
    }

    /// Which field of a struct is the one, or has it below.
    private static int holder(Types.StructType struct, int fieldId) {
        for (int i = 0; i < struct.fields().size(); i++) {
            Types.NestedField field = struct.fields().get(i);
            boolean below = field.type().isStructType()
                    && new Schema(field.type().asStructType().fields()).findField(fieldId) != null;
            if (field.fieldId() == fieldId || below) {
                return i;
            }
        }
        throw new IllegalArgumentException("field " + fieldId + " is not reached through structs");
    }

    /// The partition value of a row.
    @Nullable
    Object of(int row) {
        for (FieldVector vector : way) {
            if (vector.isNull(row)) {
                return transform.apply(null);
            }
        }
        Object source = read.apply(row);
        if (lastSource == null || !lastSource.equals(source)) {
            lastSource = source;
            lastValue = transform.apply(source);
        }
        return lastValue;
    }
}
