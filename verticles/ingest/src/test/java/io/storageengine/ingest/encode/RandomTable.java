package io.storageengine.ingest.encode;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.UUID;
import org.apache.iceberg.Schema;
import org.apache.iceberg.data.GenericRecord;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.jspecify.annotations.Nullable;

/// A random schema, and random rows of it both as JSON and as Iceberg's generic records: made side by side, so
/// that neither is computed from the other.
final class RandomTable {
    private static final DateTimeFormatter SECONDS = DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss");
    private static final DateTimeFormatter TIMESTAMP = new DateTimeFormatterBuilder()
            .append(SECONDS)
            .appendFraction(java.time.temporal.ChronoField.NANO_OF_SECOND, 0, 9, true)
            .toFormatter(java.util.Locale.ROOT);

    private final SplittableRandom random;
    private int lastId;

    RandomTable(SplittableRandom random) {
        this.random = random;
    }

    /// A value and how JSON writes it.
    record Sample(String json, @Nullable Object value) {}

    Schema schema(int columns, int depth) {
        return new Schema(fields("c", columns, depth));
    }

    private List<Types.NestedField> fields(String prefix, int count, int depth) {
        List<Types.NestedField> fields = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int id = ++lastId;
            String name = random.nextInt(5) == 0 ? prefix + " ü-" + i : prefix + i;
            Type type = type(depth);
            boolean required = random.nextInt(4) == 0;
            fields.add(
                    required ? Types.NestedField.required(id, name, type) : Types.NestedField.optional(id, name, type));
        }
        return fields;
    }

    private Type type(int depth) {
        int kind = random.nextInt(depth > 0 ? 20 : 16);
        return switch (kind) {
            case 0 -> Types.BooleanType.get();
            case 1 -> Types.IntegerType.get();
            case 2 -> Types.LongType.get();
            case 3 -> Types.FloatType.get();
            case 4 -> Types.DoubleType.get();
            case 5 -> decimal();
            case 6 -> Types.DateType.get();
            case 7 -> Types.TimeType.get();
            case 8 -> Types.TimestampType.withoutZone();
            case 9 -> Types.TimestampType.withZone();
            case 10 -> Types.TimestampNanoType.withoutZone();
            case 11 -> Types.TimestampNanoType.withZone();
            case 12 -> Types.StringType.get();
            case 13 -> Types.UUIDType.get();
            case 14 -> Types.FixedType.ofLength(1 + random.nextInt(20));
            case 15 -> Types.BinaryType.get();
            case 16, 17 -> Types.StructType.of(fields("f", 1 + random.nextInt(3), depth - 1));
            case 18 -> list(depth);
            default -> map(depth);
        };
    }

    private Type decimal() {
        int precision = 1 + random.nextInt(38);
        return Types.DecimalType.of(precision, random.nextInt(precision + 1));
    }

    private Type list(int depth) {
        int id = ++lastId;
        Type element = type(depth - 1);
        return random.nextBoolean() ? Types.ListType.ofOptional(id, element) : Types.ListType.ofRequired(id, element);
    }

    private Type map(int depth) {
        int key = ++lastId;
        int value = ++lastId;
        Type keyType = random.nextBoolean() ? Types.StringType.get() : type(0);
        Type valueType = type(depth - 1);
        return random.nextBoolean()
                ? Types.MapType.ofOptional(key, value, keyType, valueType)
                : Types.MapType.ofRequired(key, value, keyType, valueType);
    }

    Sample row(Schema schema) {
        return struct(schema.asStruct());
    }

    private Sample struct(Types.StructType type) {
        Record record = GenericRecord.create(type);
        List<String> members = new ArrayList<>();
        for (Types.NestedField field : type.fields()) {
            if (field.isOptional() && random.nextInt(5) == 0) {
                if (random.nextBoolean()) {
                    members.add(quoted(field.name()) + ":null");
                }
                continue;
            }
            Sample sample = value(field.type());
            record.setField(field.name(), sample.value());
            members.add(quoted(field.name()) + space() + ":" + space() + sample.json());
        }
        shuffleSometimes(members);
        return new Sample("{" + String.join("," + space(), members) + space() + "}", record);
    }

    private void shuffleSometimes(List<String> members) {
        for (int i = members.size() - 1; i > 0 && random.nextInt(3) == 0; i--) {
            java.util.Collections.swap(members, i, random.nextInt(i + 1));
        }
    }

    private String space() {
        return random.nextInt(6) == 0 ? " \t" : "";
    }

    private Sample value(Type type) {
        return switch (type.typeId()) {
            case BOOLEAN -> plain(random.nextBoolean());
            case INTEGER -> plain(random.nextInt(4) == 0 ? random.nextInt(10) : random.nextInt());
            case LONG -> plain(random.nextInt(4) == 0 ? random.nextInt(10) : random.nextLong());
            case FLOAT -> floatValue();
            case DOUBLE -> doubleValue();
            case DECIMAL -> decimalValue((Types.DecimalType) type);
            case DATE -> dateValue();
            case TIME -> timeValue();
            case TIMESTAMP -> timestamp(((Types.TimestampType) type).shouldAdjustToUTC(), 1_000);
            case TIMESTAMP_NANO -> timestamp(((Types.TimestampNanoType) type).shouldAdjustToUTC(), 1);
            case STRING -> stringValue();
            case UUID -> uuidValue();
            case FIXED -> bytes(((Types.FixedType) type).length(), true);
            case BINARY -> bytes(random.nextInt(40), false);
            case STRUCT -> struct(type.asStructType());
            case LIST -> listValue(type.asListType());
            case MAP -> mapValue(type.asMapType());
            case VARIANT, UNKNOWN, GEOMETRY, GEOGRAPHY -> throw new IllegalArgumentException(type.toString());
        };
    }

    private static Sample plain(Object value) {
        return new Sample(value.toString(), value);
    }

    private Sample floatValue() {
        return switch (random.nextInt(8)) {
            case 0 -> new Sample("\"NaN\"", Float.NaN);
            case 1 -> new Sample("\"Infinity\"", Float.POSITIVE_INFINITY);
            case 2 -> new Sample("\"-Infinity\"", Float.NEGATIVE_INFINITY);
            case 3 -> new Sample("-0.0", -0.0f);
            case 4 -> new Sample("0", 0.0f);
            default -> {
                float value = Float.intBitsToFloat(random.nextInt());
                yield Float.isFinite(value) ? plain(value) : plain(1.5f);
            }
        };
    }

    private Sample doubleValue() {
        return switch (random.nextInt(8)) {
            case 0 -> new Sample("\"NaN\"", Double.NaN);
            case 1 -> new Sample("\"Infinity\"", Double.POSITIVE_INFINITY);
            case 2 -> new Sample("\"-Infinity\"", Double.NEGATIVE_INFINITY);
            case 3 -> new Sample("-0", -0.0d);
            case 4 -> plain(random.nextInt(1000) / 100.0);
            default -> {
                double value = Double.longBitsToDouble(random.nextLong());
                yield Double.isFinite(value) ? plain(value) : plain(2.5);
            }
        };
    }

    private Sample decimalValue(Types.DecimalType type) {
        int digits = 1 + random.nextInt(type.precision());
        byte[] magnitude = new byte[17];
        random.nextBytes(magnitude);
        BigInteger unscaled = new BigInteger(1, magnitude).mod(BigInteger.TEN.pow(digits));
        BigDecimal value = new BigDecimal(random.nextBoolean() ? unscaled.negate() : unscaled, type.scale());
        String text = random.nextBoolean() ? value.toPlainString() : value.toString();
        return new Sample(random.nextBoolean() ? text : "\"" + text + "\"", value);
    }

    private Sample dateValue() {
        LocalDate date = LocalDate.ofEpochDay(random.nextInt(-700_000, 2_900_000));
        return new Sample("\"" + date + "\"", date);
    }

    private Sample timeValue() {
        LocalTime time = LocalTime.ofNanoOfDay(random.nextLong(86_400_000_000L) * 1_000);
        return new Sample("\"" + time + "\"", time);
    }

    private Sample timestamp(boolean zoned, int nanosMin) {
        long second = nanosMin == 1
                ? random.nextLong(-9_000_000_000L, 9_000_000_000L)
                : random.nextLong(-60_000_000_000L, 250_000_000_000L);
        int nanos = random.nextInt(1_000_000_000 / nanosMin) * nanosMin;
        LocalDateTime utc = LocalDateTime.ofEpochSecond(second, random.nextInt(3) == 0 ? 0 : nanos, ZoneOffset.UTC);
        if (!zoned) {
            return new Sample("\"" + TIMESTAMP.format(utc) + "\"", utc);
        }
        ZoneOffset offset =
                random.nextBoolean() ? ZoneOffset.UTC : ZoneOffset.ofTotalSeconds(random.nextInt(-1000, 1000) * 60);
        OffsetDateTime local = utc.atOffset(ZoneOffset.UTC).withOffsetSameInstant(offset);
        return new Sample("\"" + TIMESTAMP.format(local) + offset.getId() + "\"", utc.atOffset(ZoneOffset.UTC));
    }

    private Sample stringValue() {
        StringBuilder text = new StringBuilder();
        int length = random.nextInt(4) == 0 ? random.nextInt(60) : random.nextInt(8);
        for (int i = 0; i < length; i++) {
            text.appendCodePoint(codePoint());
        }
        return new Sample(quoted(text.toString()), text.toString());
    }

    private int codePoint() {
        return switch (random.nextInt(8)) {
            case 0 -> random.nextInt(0, 0x20);
            case 1 -> random.nextInt(0x80, 0xD800);
            case 2 -> random.nextInt(0xE000, 0x10FFFF);
            case 3 -> "\"\\/".charAt(random.nextInt(3));
            default -> random.nextInt(0x20, 0x7F);
        };
    }

    private String quoted(String text) {
        StringBuilder json = new StringBuilder("\"");
        text.codePoints().forEach(c -> {
            if (c == '"' || c == '\\') {
                json.append('\\').append((char) c);
            } else if (c < 0x20 || random.nextInt(20) == 0) {
                for (char unit : Character.toChars(c)) {
                    json.append(String.format(java.util.Locale.ROOT, "\\u%04x", (int) unit));
                }
            } else {
                json.appendCodePoint(c);
            }
        });
        return json.append('"').toString();
    }

    private Sample uuidValue() {
        UUID uuid = new UUID(random.nextLong(), random.nextLong());
        return new Sample("\"" + uuid + "\"", uuid);
    }

    private Sample bytes(int length, boolean fixed) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        HexFormat form = random.nextBoolean() ? HexFormat.of() : HexFormat.of().withUpperCase();
        return new Sample("\"" + form.formatHex(bytes) + "\"", fixed ? bytes : ByteBuffer.wrap(bytes));
    }

    private Sample listValue(Types.ListType type) {
        List<@Nullable Object> values = new ArrayList<>();
        List<String> texts = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            Sample element = type.isElementOptional() && random.nextInt(5) == 0
                    ? new Sample("null", null)
                    : value(type.elementType());
            values.add(element.value());
            texts.add(element.json());
        }
        return new Sample("[" + String.join("," + space(), texts) + "]", values);
    }

    private Sample mapValue(Types.MapType type) {
        Map<Object, @Nullable Object> values = new LinkedHashMap<>();
        List<String> keys = new ArrayList<>();
        List<String> texts = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            Sample key = value(type.keyType());
            Object unique = java.util.Objects.requireNonNull(Canonical.of(key.value()));
            if (values.keySet().stream().map(Canonical::of).anyMatch(unique::equals)) {
                continue;
            }
            Sample value = type.isValueOptional() && random.nextInt(5) == 0
                    ? new Sample("null", null)
                    : value(type.valueType());
            values.put(java.util.Objects.requireNonNull(key.value()), value.value());
            keys.add(key.json());
            texts.add(value.json());
        }
        return new Sample(mapText(type.keyType().typeId() == Type.TypeID.STRING, keys, texts), values);
    }

    private String mapText(boolean named, List<String> keys, List<String> values) {
        if (random.nextInt(3) == 0) {
            List<String> pairs = new ArrayList<>();
            for (int i = 0; i < keys.size(); i++) {
                pairs.add("[" + keys.get(i) + "," + values.get(i) + "]");
            }
            return "[" + String.join(",", pairs) + "]";
        }
        if (!named) {
            return "{\"keys\":[" + String.join(",", keys) + "],\"values\":[" + String.join(",", values) + "]}";
        }
        List<String> members = new ArrayList<>();
        for (int i = 0; i < keys.size(); i++) {
            members.add(keys.get(i) + ":" + values.get(i));
        }
        return "{" + String.join(",", members) + "}";
    }
}
