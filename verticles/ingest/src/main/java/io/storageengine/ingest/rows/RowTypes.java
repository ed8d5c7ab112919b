package io.storageengine.ingest.rows;

import java.util.Optional;
import org.apache.iceberg.Schema;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.TypeUtil;
import org.apache.iceberg.types.Types;

/// Which tables can take rows.
public final class RowTypes {
    private RowTypes() {}

    /// Why rows cannot be taken for a schema: a sentence that says which column and what to do; empty when they
    /// can.
    public static Optional<String> refusal(Schema schema) {
        if (!hasStoredField(schema.asStruct())) {
            return Optional.of("the table has no columns of a known type; add one first");
        }
        for (Types.NestedField field : TypeUtil.indexById(schema.asStruct()).values()) {
            String why = refusal(field.type());
            if (!why.isEmpty()) {
                String name = schema.findColumnName(field.fieldId());
                return Optional.of("column `" + name + "` cannot take rows: " + why);
            }
        }
        return Optional.empty();
    }

    private static String refusal(Type type) {
        return switch (type.typeId()) {
            case GEOMETRY, GEOGRAPHY -> "its type " + type + " is not supported; store the shape as binary (WKB)";
            case STRUCT ->
                hasStoredField(type.asStructType()) ? "" : "its struct has no fields; add one or drop the column";
            case LIST, MAP -> hasUnknown(type) ? "its elements are of type unknown; give them a type first" : "";
            case FIXED -> ((Types.FixedType) type).length() < 1 ? "a fixed of no bytes; drop the column" : "";
            default -> "";
        };
    }

    private static boolean hasUnknown(Type type) {
        return type.asNestedType().fields().stream().anyMatch(RowTypes::isUnknown);
    }

    private static boolean isUnknown(Types.NestedField field) {
        return field.type().typeId() == Type.TypeID.UNKNOWN;
    }

    /// Columns of type unknown are in no file.
    private static boolean hasStoredField(Types.StructType struct) {
        return !struct.fields().stream().allMatch(RowTypes::isUnknown);
    }
}
