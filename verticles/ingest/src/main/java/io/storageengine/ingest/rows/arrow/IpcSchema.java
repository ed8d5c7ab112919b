package io.storageengine.ingest.rows.arrow;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.arrow.flatbuf.Endianness;
import org.apache.arrow.flatbuf.KeyValue;
import org.apache.arrow.flatbuf.Schema;
import org.apache.arrow.flatbuf.Timestamp;
import org.apache.arrow.flatbuf.Type;
import org.apache.arrow.flatbuf.Union;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.jspecify.annotations.Nullable;

/// A stream's schema: its fields in their order, and the fields whose values come in dictionaries.
///
/// @param fields as they are in messages: those with a dictionary have the type of its values
/// @param dictionaries the values' field by the dictionary's id
/// @param isNested whether values in one dictionary point into another
record IpcSchema(List<Field> fields, Map<Long, Field> dictionaries, boolean isNested) {
    private static final int FIELDS_MAX = 10_000;
    private static final int DEPTH_MAX = 64;
    private static final int TEXT_BYTES_MAX = 4 << 20;
    private static final int DECIMAL_DIGITS_MAX = 76;

    IpcSchema {
        fields = List.copyOf(fields);
        dictionaries = Map.copyOf(dictionaries);
    }

    static IpcSchema of(Schema schema) {
        Invalid.unless(schema.endianness() == Endianness.Little, "its numbers are big-endian");
        Budget budget = new Budget();
        int count = schema.fieldsLength();
        for (int i = 0; i < count; i++) {
            budget.visit(schema.fields(i), 1);
        }
        List<Field> fields = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            fields.add(converted(schema.fields(i)));
        }
        Map<Long, Field> dictionaries = new HashMap<>();
        boolean isNested = false;
        for (Field field : fields) {
            isNested |= gather(field, dictionaries, false);
        }
        return new IpcSchema(fields, dictionaries, isNested);
    }

    private static Field converted(org.apache.arrow.flatbuf.Field field) {
        try {
            return Field.convertField(field);
        } catch (IllegalArgumentException | UnsupportedOperationException unknown) {
            throw Invalid.because("a field's type is not known here (of decimals, those of 128 and 256 bits are)");
        }
    }

    /// The type that a field's values are kept in.
    static ArrowType stored(Field field) {
        return field.getType() instanceof ArrowType.ExtensionType extension ? extension.storageType() : field.getType();
    }

    /// Whether a dictionary is inside another one.
    private static boolean gather(Field field, Map<Long, Field> dictionaries, boolean inside) {
        check(stored(field), field);
        boolean isNested = false;
        boolean encoded = field.getDictionary() != null;
        if (encoded) {
            checkWidth(field.getDictionary().getIndexType());
            Field values = new Field(
                    field.getName(),
                    new FieldType(true, field.getType(), null, field.getMetadata()),
                    field.getChildren());
            Field before = dictionaries.putIfAbsent(field.getDictionary().getId(), values);
            Invalid.unless(
                    before == null
                            || (before.getType().equals(values.getType())
                                    && before.getChildren().equals(values.getChildren())),
                    "two fields of different types have one dictionary");
            isNested = inside;
        }
        for (Field child : field.getChildren()) {
            isNested |= gather(child, dictionaries, inside || encoded);
        }
        return isNested;
    }

    private static void check(ArrowType type, Field field) {
        int children = field.getChildren().size();
        switch (type) {
            case ArrowType.Decimal decimal ->
                Invalid.unless(
                        Math.abs((long) decimal.getScale()) <= DECIMAL_DIGITS_MAX
                                && List.of(128, 256).contains(decimal.getBitWidth()),
                        "a decimal has too many digits");
            case ArrowType.Int integer -> checkWidth(integer);
            case ArrowType.Time time ->
                Invalid.unless(time.getBitWidth() == 32 || time.getBitWidth() == 64, "a time has an odd width");
            case ArrowType.FixedSizeBinary binary ->
                Invalid.unless(binary.getByteWidth() >= 0, "a fixed size is negative");
            case ArrowType.FixedSizeList list ->
                Invalid.unless(list.getListSize() >= 0 && children == 1, "a list has not one element type");
            case ArrowType.List _, ArrowType.LargeList _, ArrowType.ListView _, ArrowType.LargeListView _ ->
                Invalid.unless(children == 1, "a list has not one element type");
            case ArrowType.Map _ ->
                Invalid.unless(
                        children == 1
                                && field.getChildren().getFirst().getType() instanceof ArrowType.Struct
                                && field.getChildren().getFirst().getChildren().size() == 2
                                && field.getChildren().getFirst().getDictionary() == null,
                        "a map has no keys and values");
            default -> {
                // Nothing in it can be wrong.
            }
        }
    }

    private static void checkWidth(ArrowType.Int type) {
        Invalid.unless(List.of(8, 16, 32, 64).contains(type.getBitWidth()), "an integer has an odd width");
    }

    /// What a schema may cost. Offsets may lead to one place from many, or back to where they came from, so that
    /// little metadata describes a schema without end.
    private static final class Budget {
        private int fields;
        private long textBytes;

        void visit(org.apache.arrow.flatbuf.Field field, int depth) {
            Invalid.unless(++fields <= FIELDS_MAX, "it has more than " + FIELDS_MAX + " fields");
            Invalid.unless(depth <= DEPTH_MAX, "its fields lie more than " + DEPTH_MAX + " deep");
            ByteBuffer name = field.nameAsByteBuffer();
            Invalid.unless(name != null, "a field has no name");
            count(name);
            countType(field);
            add(field.customMetadataLength());
            for (int i = 0; i < field.customMetadataLength(); i++) {
                KeyValue pair = field.customMetadata(i);
                count(pair.keyAsByteBuffer());
                count(pair.valueAsByteBuffer());
            }
            int children = field.childrenLength();
            for (int i = 0; i < children; i++) {
                visit(field.children(i), depth + 1);
            }
        }

        private void countType(org.apache.arrow.flatbuf.Field field) {
            if (field.typeType() == Type.Timestamp && field.type(new Timestamp()) instanceof Timestamp timestamp) {
                count(timestamp.timezoneAsByteBuffer());
            }
            if (field.typeType() == Type.Union && field.type(new Union()) instanceof Union union) {
                add(union.typeIdsLength());
            }
        }

        private void count(@Nullable ByteBuffer text) {
            add(text == null ? 0 : text.remaining());
        }

        private void add(long more) {
            Invalid.unless(more >= 0, "a length is negative");
            textBytes += more;
            Invalid.unless(textBytes <= TEXT_BYTES_MAX, "its names and metadata have more than 4 MiB");
        }
    }
}
