package io.storageengine.ingest.rows;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.iceberg.Schema;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.jspecify.annotations.Nullable;

/// The kinds of JSON values seen at one place of many rows.
final class Shape {
    private enum Kind {
        NOTHING,
        LONG,
        DOUBLE,
        BOOLEAN,
        TIMESTAMP,
        STRUCT,
        LIST,
        STRING
    }

    private Kind kind = Kind.NOTHING;
    private final Map<String, Shape> fields = new LinkedHashMap<>();
    private final Set<String> folded = new HashSet<>();
    private @Nullable Shape element;

    /// How many leaves it has; none when it is an object without fields.
    int fieldCount() {
        return switch (kind) {
            case STRUCT ->
                fields.values().stream()
                        .mapToInt(field -> Math.max(1, field.fieldCount()))
                        .sum();
            case LIST -> element == null ? 1 : Math.max(1, element.fieldCount());
            case NOTHING, LONG, DOUBLE, BOOLEAN, TIMESTAMP, STRING -> 1;
        };
    }

    /// True for a row as long as no row with fields was added.
    boolean isEmpty() {
        return fields.isEmpty();
    }

    private boolean isStruct() {
        return kind == Kind.STRUCT;
    }

    /// Adds a row whose text was checked.
    void addFields(JsonScanner in) {
        kind = Kind.STRUCT;
        in.enter();
        if (in.peek() != '}') {
            do {
                in.name();
                Shape field = field(in.textAsString());
                if (field == null) {
                    in.skip();
                } else {
                    field.add(in);
                }
            } while (in.more('}'));
        }
        in.leave();
    }

    /// Null for a name that differs only by case from one seen before.
    private @Nullable Shape field(String name) {
        Shape known = fields.get(name);
        if (known != null || !folded.add(SchemaInference.folded(name))) {
            return known;
        }
        Shape field = new Shape();
        fields.put(name, field);
        return field;
    }

    /// Adds a field of a text format; `name` is not given twice in a row.
    ///
    /// @param quoted a text, whatever it looks like
    void addText(String name, JsonScanner in, boolean quoted) {
        kind = Kind.STRUCT;
        Shape field = field(name);
        if (field == null) {
            return;
        }
        boolean plain = !quoted && in.textEnd - in.textStart <= NumberText.DIGITS_MAX;
        if (plain && in.number.parse(in.text, in.textStart) == in.textEnd) {
            field.see(numberKind(in.number));
        } else if (plain && isBoolean(in)) {
            field.see(Kind.BOOLEAN);
        } else {
            field.see(isTimestamp(in) ? Kind.TIMESTAMP : Kind.STRING);
        }
    }

    /// Adds a field that has no value in this row.
    void addNull(String name) {
        kind = Kind.STRUCT;
        field(name);
    }

    private static boolean isBoolean(JsonScanner in) {
        String text = in.textEnd - in.textStart > 5 ? "" : in.textAsString();
        return text.equalsIgnoreCase("true") || text.equalsIgnoreCase("false");
    }

    private void add(JsonScanner in) {
        switch (in.peek()) {
            case '{' -> {
                see(Kind.STRUCT);
                addNested(in);
            }
            case '[' -> {
                see(Kind.LIST);
                addElements(in);
            }
            case '"' -> {
                in.string();
                see(isTimestamp(in) ? Kind.TIMESTAMP : Kind.STRING);
            }
            case 't' -> {
                in.literal("true");
                see(Kind.BOOLEAN);
            }
            case 'f' -> {
                in.literal("false");
                see(Kind.BOOLEAN);
            }
            case 'n' -> in.literal("null");
            default -> {
                in.number();
                see(numberKind(in.number));
            }
        }
    }

    private void addNested(JsonScanner in) {
        if (isStruct()) {
            addFields(in);
        } else {
            in.skip();
        }
    }

    private void addElements(JsonScanner in) {
        in.enter();
        Shape elements = element == null ? new Shape() : element;
        element = elements;
        if (in.peek() != ']') {
            do {
                elements.add(in);
            } while (in.more(']'));
        }
        in.leave();
    }

    private void see(Kind seen) {
        if (kind == Kind.NOTHING || kind == seen) {
            kind = seen;
        } else if ((kind == Kind.LONG && seen == Kind.DOUBLE) || (kind == Kind.DOUBLE && seen == Kind.LONG)) {
            kind = Kind.DOUBLE;
        } else {
            kind = Kind.STRING;
        }
    }

    private static Kind numberKind(NumberText number) {
        if (!number.isPlainInteger()) {
            double value = number.toDouble();
            boolean fits = !Double.isInfinite(value) && (value != 0 || number.isZero());
            return fits ? Kind.DOUBLE : Kind.STRING;
        }
        boolean fits = number.isExact()
                || (!number.isTooLong() && number.toBigDecimal().toBigInteger().bitLength() < 64);
        return fits ? Kind.LONG : Kind.STRING;
    }

    private static boolean isTimestamp(JsonScanner in) {
        int length = in.textEnd - in.textStart;
        if (length < 20 || length > 40 || in.text[in.textStart + 4] != '-') {
            return false;
        }
        try {
            new TimeText(in, "").timestamp(1_000_000, true);
            return true;
        } catch (BadRow _) {
            return false;
        }
    }

    /// The schema, for the shape of a row.
    Schema toSchema() {
        return new Schema(struct(new Ids()).fields());
    }

    private Types.StructType struct(Ids ids) {
        List<Types.NestedField> struct = new ArrayList<>();
        List<Integer> own = fields.keySet().stream().map(_ -> ids.next()).toList();
        int i = 0;
        for (Map.Entry<String, Shape> field : fields.entrySet()) {
            struct.add(Types.NestedField.optional(
                    own.get(i++), field.getKey(), field.getValue().type(ids)));
        }
        return Types.StructType.of(struct);
    }

    private Type type(Ids ids) {
        return switch (kind) {
            case LONG -> Types.LongType.get();
            case DOUBLE -> Types.DoubleType.get();
            case BOOLEAN -> Types.BooleanType.get();
            case TIMESTAMP -> Types.TimestampType.withZone();
            case STRING, NOTHING -> Types.StringType.get();
            case STRUCT -> fields.isEmpty() ? Types.StringType.get() : struct(ids);
            case LIST ->
                Types.ListType.ofOptional(ids.next(), element == null ? Types.StringType.get() : element.type(ids));
        };
    }

    /// Field ids from 1.
    private static final class Ids {
        private int last;

        int next() {
            return ++last;
        }
    }
}
