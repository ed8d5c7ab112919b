package io.storageengine.ingest.rows;

import io.storageengine.core.Failure;
import io.storageengine.core.Outcome;
import io.storageengine.ingest.rows.arrow.ArrowStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.iceberg.Schema;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;

/// Makes a table's schema of an Arrow stream's: each type becomes the narrowest of Iceberg that holds all of its
/// values. Every column is optional, field ids count from 1; a column of nulls becomes a `string`.
final class ArrowSchemas {
    private static final int UUID_BYTES = 16;
    private static final int PRECISION_MAX = 38;

    private int id;

    private ArrowSchemas() {}

    /// `INVALID` when a field cannot be a column.
    static Outcome<Schema> of(Rereadable body) throws IOException {
        List<Field> fields = ArrowStream.fields(body, body.memory());
        try {
            return Outcome.ok(new Schema(new ArrowSchemas().fields(fields)));
        } catch (BadRow no) {
            String message = "no schema can be made: the field `" + no.field + "` " + no.reason
                    + "; create the table first, or leave it out";
            return Outcome.failed(Failure.Kind.INVALID, "SchemaNotInferred", message);
        }
    }

    private List<Types.NestedField> fields(List<Field> fields) {
        Set<String> folded = new HashSet<>();
        for (Field field : fields) {
            if (!folded.add(SchemaInference.folded(field.getName()))) {
                throw no(field, "is there twice, case aside");
            }
        }
        int first = id + 1;
        id += fields.size();
        List<Types.NestedField> columns = new ArrayList<>();
        for (Field field : fields) {
            columns.add(Types.NestedField.optional(first + columns.size(), field.getName(), type(field)));
        }
        return columns;
    }

    private static BadRow no(Field field, String why) {
        return new BadRow(field.getName(), RowFault.Codes.WRONG_TYPE, why);
    }

    private Type type(Field field) {
        boolean isUuid =
                "arrow.uuid".equals(field.getMetadata().get(ArrowType.ExtensionType.EXTENSION_METADATA_KEY_NAME));
        ArrowType type = field.getType() instanceof ArrowType.ExtensionType extension
                ? extension.storageType()
                : field.getType();
        boolean isExtendedUuid = field.getType() instanceof ArrowType.ExtensionType extension
                && extension.extensionName().equals("arrow.uuid");
        return switch (type) {
            case ArrowType.Null _, ArrowType.Utf8 _, ArrowType.LargeUtf8 _, ArrowType.Utf8View _ ->
                Types.StringType.get();
            case ArrowType.Bool _ -> Types.BooleanType.get();
            case ArrowType.Int integer -> integer(integer);
            case ArrowType.FloatingPoint number ->
                number.getPrecision() == FloatingPointPrecision.DOUBLE ? Types.DoubleType.get() : Types.FloatType.get();
            case ArrowType.Decimal decimal -> decimal(field, decimal);
            case ArrowType.Date _ -> Types.DateType.get();
            case ArrowType.Time _ -> Types.TimeType.get();
            case ArrowType.Timestamp stamp -> timestamp(stamp);
            case ArrowType.Binary _, ArrowType.LargeBinary _, ArrowType.BinaryView _ -> Types.BinaryType.get();
            case ArrowType.FixedSizeBinary fixed
            when fixed.getByteWidth() == UUID_BYTES && (isUuid || isExtendedUuid) -> Types.UUIDType.get();
            case ArrowType.FixedSizeBinary fixed
            when fixed.getByteWidth() > 0 -> Types.FixedType.ofLength(fixed.getByteWidth());
            default -> nested(field, type);
        };
    }

    private static Type integer(ArrowType.Int type) {
        int bits = type.getBitWidth() - (type.getIsSigned() ? 1 : 0);
        return bits < Integer.SIZE
                ? Types.IntegerType.get()
                : bits < Long.SIZE ? Types.LongType.get() : Types.DecimalType.of(20, 0);
    }

    private static Type decimal(Field field, ArrowType.Decimal type) {
        if (type.getPrecision() < 1 || type.getPrecision() > PRECISION_MAX) {
            throw no(field, "has more than 38 digits");
        }
        if (type.getScale() < 0 || type.getScale() > type.getPrecision()) {
            throw no(field, "has a scale beyond its precision");
        }
        return Types.DecimalType.of(type.getPrecision(), type.getScale());
    }

    private static Type timestamp(ArrowType.Timestamp type) {
        boolean zoned = type.getTimezone() != null;
        if (type.getUnit() == TimeUnit.NANOSECOND) {
            return zoned ? Types.TimestampNanoType.withZone() : Types.TimestampNanoType.withoutZone();
        }
        return zoned ? Types.TimestampType.withZone() : Types.TimestampType.withoutZone();
    }

    private Type nested(Field field, ArrowType type) {
        List<Field> children = field.getChildren();
        return switch (type) {
            case ArrowType.Struct _ when !children.isEmpty() -> Types.StructType.of(fields(children));
            case ArrowType.List _,
                    ArrowType.LargeList _,
                    ArrowType.FixedSizeList _,
                    ArrowType.ListView _,
                    ArrowType.LargeListView _ -> {
                int element = ++id;
                yield Types.ListType.ofOptional(element, type(children.getFirst()));
            }
            case ArrowType.Map _ -> {
                int key = ++id;
                int value = ++id;
                List<Field> entry = children.getFirst().getChildren();
                yield Types.MapType.ofOptional(key, value, type(entry.get(0)), type(entry.get(1)));
            }
            default -> throw no(field, "is of the type " + type + ", which no column has");
        };
    }
}
