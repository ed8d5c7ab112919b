package io.storageengine.ingest.rows;

import io.storageengine.ingest.rows.RowColumn.Slot;
import java.util.ArrayList;
import java.util.List;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;

/// Makes the columns of a schema.
final class RowColumns {
    private static final int MICROS = 1_000_000;
    private static final int NANOS = 1_000_000_000;

    private final JsonScanner in;

    RowColumns(JsonScanner in) {
        this.in = in;
    }

    /// The fields of an object whose full name is `path`; empty for a row.
    StructFields fields(String path, List<Types.NestedField> fields) {
        List<String> names = new ArrayList<>();
        List<RowColumn> columns = new ArrayList<>();
        for (Types.NestedField field : fields) {
            names.add(field.name());
            columns.add(column(Slot.of(path, field), field.type()));
        }
        return new StructFields(in, path, names, columns);
    }

    private RowColumn column(Slot slot, Type type) {
        return switch (type.typeId()) {
            case BOOLEAN -> new SimpleColumns.BooleanColumn(in, slot);
            case INTEGER -> new NumberColumns.IntColumn(in, slot);
            case LONG -> new NumberColumns.LongColumn(in, slot);
            case FLOAT -> new NumberColumns.FloatColumn(in, slot);
            case DOUBLE -> new NumberColumns.DoubleColumn(in, slot);
            case DECIMAL -> new NumberColumns.DecimalColumn(in, slot, (Types.DecimalType) type);
            case DATE -> new SimpleColumns.DateColumn(in, slot);
            case TIME -> new SimpleColumns.TimeColumn(in, slot);
            case TIMESTAMP -> timestamp(slot, MICROS, ((Types.TimestampType) type).shouldAdjustToUTC());
            case TIMESTAMP_NANO -> timestamp(slot, NANOS, ((Types.TimestampNanoType) type).shouldAdjustToUTC());
            case STRING -> new BytesColumn(in, slot, false);
            case BINARY -> new BytesColumn(in, slot, true);
            case UUID -> new SimpleColumns.UuidColumn(in, slot);
            case FIXED -> new SimpleColumns.FixedBytesColumn(in, slot, ((Types.FixedType) type).length());
            case UNKNOWN -> new SimpleColumns.UnknownColumn(in, slot);
            case VARIANT -> new VariantColumn(in, slot);
            case STRUCT ->
                new StructColumn(
                        in, slot, fields(slot.path(), type.asStructType().fields()));
            case LIST -> list(slot, type.asListType());
            case MAP -> map(slot, type.asMapType());
            case GEOMETRY, GEOGRAPHY -> throw new IllegalArgumentException("no rows are taken for type " + type);
        };
    }

    private RowColumn timestamp(Slot slot, int unitsPerSecond, boolean zoned) {
        return new SimpleColumns.TimestampColumn(in, slot, unitsPerSecond, zoned);
    }

    private RowColumn list(Slot slot, Types.ListType type) {
        Slot element = new Slot(slot.path() + ".element", type.isElementRequired(), null);
        return new ListColumn(in, slot, column(element, type.elementType()));
    }

    private RowColumn map(Slot slot, Types.MapType type) {
        Slot key = new Slot(slot.path() + ".key", true, null);
        Slot value = new Slot(slot.path() + ".value", type.isValueRequired(), null);
        return new MapColumn(in, slot, column(key, type.keyType()), column(value, type.valueType()));
    }
}
