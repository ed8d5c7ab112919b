package io.storageengine.ingest.rows;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.arrow.vector.types.DateUnit;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.iceberg.Schema;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;

/// How Iceberg's types lie in Arrow columns.
///
/// | Iceberg | Arrow |
/// |---|---|
/// | boolean, int, long, float, double | Bool, Int 32, Int 64, Float single, Float double |
/// | decimal(p, s) | Decimal 128 |
/// | date, time | Date day, Time microsecond |
/// | timestamp, timestamptz (\_ns) | Timestamp microsecond (nanosecond), zone `UTC` when zoned |
/// | string, binary | Utf8, Binary |
/// | uuid, fixed(n) | FixedSizeBinary 16, n |
/// | struct, list, map | Struct, List, Map |
/// | variant | Struct of Binary `metadata`, Binary `value` (the Parquet variant encoding) |
/// | unknown | Null |
///
/// Every field carries its Iceberg id as metadata `PARQUET:field_id`. Children are nullable exactly when
/// Iceberg's are optional.
public final class ArrowTypes {
    /// Key of the field id in a field's metadata.
    public static final String FIELD_ID = "PARQUET:field_id";

    private ArrowTypes() {}

    /// The Arrow schema of a table schema, columns in the same order.
    public static org.apache.arrow.vector.types.pojo.Schema schema(Schema schema) {
        List<Field> fields = new ArrayList<>();
        for (Types.NestedField column : schema.columns()) {
            fields.add(field(column));
        }
        return new org.apache.arrow.vector.types.pojo.Schema(fields);
    }

    /// True when columns of one schema can be read as columns of the other: same names, types and field ids.
    public static boolean sameLayout(
            org.apache.arrow.vector.types.pojo.Schema one, org.apache.arrow.vector.types.pojo.Schema other) {
        return one.getFields().equals(other.getFields());
    }

    private static Field field(Types.NestedField field) {
        return field(field.name(), field.isOptional(), field.fieldId(), field.type());
    }

    private static Field field(String name, boolean optional, int id, Type type) {
        Map<String, String> metadata = Map.of(FIELD_ID, Integer.toString(id));
        FieldType arrow = new FieldType(optional || type.typeId() == Type.TypeID.UNKNOWN, type(type), null, metadata);
        return new Field(name, arrow, children(type));
    }

    private static List<Field> children(Type type) {
        return switch (type) {
            case Types.StructType struct ->
                struct.fields().stream().map(ArrowTypes::field).toList();
            case Types.ListType list ->
                List.of(field("element", list.isElementOptional(), list.elementId(), list.elementType()));
            case Types.MapType map -> List.of(entries(map));
            case Types.VariantType _ -> List.of(required("metadata"), required("value"));
            default -> List.of();
        };
    }

    private static Field entries(Types.MapType map) {
        Field key = field("key", false, map.keyId(), map.keyType());
        Field value = field("value", map.isValueOptional(), map.valueId(), map.valueType());
        return new Field("entries", FieldType.notNullable(ArrowType.Struct.INSTANCE), List.of(key, value));
    }

    private static Field required(String name) {
        return new Field(name, FieldType.notNullable(ArrowType.Binary.INSTANCE), List.of());
    }

    private static ArrowType type(Type type) {
        return switch (type.typeId()) {
            case BOOLEAN -> ArrowType.Bool.INSTANCE;
            case INTEGER -> new ArrowType.Int(32, true);
            case LONG -> new ArrowType.Int(64, true);
            case FLOAT -> new ArrowType.FloatingPoint(FloatingPointPrecision.SINGLE);
            case DOUBLE -> new ArrowType.FloatingPoint(FloatingPointPrecision.DOUBLE);
            case DECIMAL -> decimal((Types.DecimalType) type);
            case DATE -> new ArrowType.Date(DateUnit.DAY);
            case TIME -> new ArrowType.Time(TimeUnit.MICROSECOND, 64);
            case TIMESTAMP -> timestamp(TimeUnit.MICROSECOND, ((Types.TimestampType) type).shouldAdjustToUTC());
            case TIMESTAMP_NANO -> timestamp(TimeUnit.NANOSECOND, ((Types.TimestampNanoType) type).shouldAdjustToUTC());
            case STRING -> ArrowType.Utf8.INSTANCE;
            case BINARY -> ArrowType.Binary.INSTANCE;
            case UUID -> new ArrowType.FixedSizeBinary(16);
            case FIXED -> new ArrowType.FixedSizeBinary(((Types.FixedType) type).length());
            case STRUCT, VARIANT -> ArrowType.Struct.INSTANCE;
            case LIST -> ArrowType.List.INSTANCE;
            case MAP -> new ArrowType.Map(false);
            case UNKNOWN -> ArrowType.Null.INSTANCE;
            case GEOMETRY, GEOGRAPHY -> throw new IllegalArgumentException("no rows are taken for type " + type);
        };
    }

    private static ArrowType decimal(Types.DecimalType type) {
        return new ArrowType.Decimal(type.precision(), type.scale(), 128);
    }

    private static ArrowType timestamp(TimeUnit unit, boolean zoned) {
        return new ArrowType.Timestamp(unit, zoned ? "UTC" : null);
    }
}
