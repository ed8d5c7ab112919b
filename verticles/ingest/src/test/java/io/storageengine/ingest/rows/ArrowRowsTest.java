package io.storageengine.ingest.rows;

import static io.storageengine.ingest.rows.ArrowBodies.field;
import static org.assertj.core.api.Assertions.assertThat;

import io.storageengine.core.message.RowOptions.OnError;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.memory.util.Float16;
import org.apache.arrow.vector.*;
import org.apache.arrow.vector.complex.FixedSizeListVector;
import org.apache.arrow.vector.complex.LargeListVector;
import org.apache.arrow.vector.complex.StructVector;
import org.apache.arrow.vector.dictionary.Dictionary;
import org.apache.arrow.vector.dictionary.DictionaryEncoder;
import org.apache.arrow.vector.dictionary.DictionaryProvider;
import org.apache.arrow.vector.types.DateUnit;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.IntervalUnit;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.DictionaryEncoding;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.iceberg.Schema;
import org.apache.iceberg.expressions.Literal;
import org.apache.iceberg.types.Types;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Arrow streams: which types fit which columns, and by which values.
class ArrowRowsTest {
    private static final ArrowType HALF = new ArrowType.FloatingPoint(FloatingPointPrecision.HALF);
    private static final ArrowType SINGLE = new ArrowType.FloatingPoint(FloatingPointPrecision.SINGLE);
    private static final ArrowType DOUBLE = new ArrowType.FloatingPoint(FloatingPointPrecision.DOUBLE);

    private static ArrowType integer(int bits, boolean signed) {
        return new ArrowType.Int(bits, signed);
    }

    private static ArrowType stamp(TimeUnit unit, @Nullable String zone) {
        return new ArrowType.Timestamp(unit, zone);
    }

    private static ArrowType decimal(int precision, int scale, int bits) {
        return new ArrowType.Decimal(precision, scale, bits);
    }

    private static Arguments good(String column, ArrowType type, Object value, String expected) {
        return Arguments.of(column, type, value, expected);
    }

    static Stream<Arguments> goodNumbers() {
        return Stream.of(
                good("boolean", ArrowType.Bool.INSTANCE, true, "true"),
                good("int", integer(8, true), -128, "-128"),
                good("int", integer(8, false), 255, "255"),
                good("int", integer(16, true), -32768, "-32768"),
                good("int", integer(16, false), 65535, "65535"),
                good("int", integer(32, true), Integer.MIN_VALUE, "-2147483648"),
                good("int", integer(64, true), 7L, "7"),
                good("long", integer(32, false), -1, "4294967295"),
                good("long", integer(64, true), Long.MIN_VALUE, "-9223372036854775808"),
                good("long", integer(64, false), Long.MAX_VALUE, "9223372036854775807"),
                good("long", DOUBLE, -9e15, "-9000000000000000"),
                good("long", decimal(10, 2, 128), new BigDecimal("5.00"), "5"),
                good("decimal(20,0)", integer(64, false), -1L, "18446744073709551615"),
                good("decimal(9,2)", integer(32, true), 7, "7.00"),
                good("decimal(9,2)", DOUBLE, 0.25, "0.25"),
                good("decimal(9,2)", decimal(38, 5, 128), new BigDecimal("-1234567.89000"), "-1234567.89"),
                good("decimal(38,10)", decimal(76, 10, 256), new BigDecimal("-1.0000000001"), "-1.0000000001"),
                good("float", HALF, 1.5, "1.5"),
                good("float", SINGLE, 0.1, "0.1"),
                good("float", DOUBLE, 0.5, "0.5"),
                good("float", DOUBLE, Double.NaN, "NaN"),
                good("float", integer(32, true), 16777216, "1.6777216E7"),
                good("double", HALF, -0.0, "-0.0"),
                good("double", SINGLE, Double.POSITIVE_INFINITY, "Infinity"),
                good("double", DOUBLE, 0.1, "0.1"),
                good("double", integer(64, true), 1L << 62, "4.611686018427388E18"),
                good("double", decimal(9, 2, 128), new BigDecimal("0.50"), "0.5"));
    }

    static Stream<Arguments> goodOthers() {
        return Stream.of(
                good("date", new ArrowType.Date(DateUnit.DAY), -1, "-1"),
                good("date", new ArrowType.Date(DateUnit.MILLISECOND), -86_400_000L, "-1"),
                good("time", new ArrowType.Time(TimeUnit.SECOND, 32), 1, "1000000"),
                good("time", new ArrowType.Time(TimeUnit.MILLISECOND, 32), 1, "1000"),
                good("time", new ArrowType.Time(TimeUnit.MICROSECOND, 64), 86_399_999_999L, "86399999999"),
                good("time", new ArrowType.Time(TimeUnit.NANOSECOND, 64), 1_000L, "1"),
                good("timestamp", stamp(TimeUnit.SECOND, null), -1L, "1969-12-31T23:59:59"),
                good("timestamp", stamp(TimeUnit.MILLISECOND, null), 1L, "1970-01-01T00:00:00.001"),
                good("timestamp", stamp(TimeUnit.MICROSECOND, null), -1L, "1969-12-31T23:59:59.999999"),
                good("timestamp", stamp(TimeUnit.NANOSECOND, null), -1_000L, "1969-12-31T23:59:59.999999"),
                good("timestamptz", stamp(TimeUnit.SECOND, "UTC"), 1L, "1000000"),
                good("timestamptz", stamp(TimeUnit.MICROSECOND, "Europe/Zurich"), 7L, "7"),
                good("timestamptz_ns", stamp(TimeUnit.MILLISECOND, "+01:00"), 7L, "7000000"),
                good("timestamptz_ns", stamp(TimeUnit.NANOSECOND, "UTC"), Long.MAX_VALUE, "9223372036854775807"),
                good("string", ArrowType.Utf8.INSTANCE, "ü", "ü"),
                good("string", ArrowType.LargeUtf8.INSTANCE, "", ""),
                good("string", ArrowType.Utf8View.INSTANCE, "short", "short"),
                good("string", ArrowType.Utf8View.INSTANCE, "longer than twelve bytes", "longer than twelve bytes"),
                good("binary", ArrowType.Binary.INSTANCE, "a", "61"),
                good("binary", ArrowType.LargeBinary.INSTANCE, "a", "61"),
                good("binary", ArrowType.BinaryView.INSTANCE, "a", "61"),
                good("binary", new ArrowType.FixedSizeBinary(2), "ab", "6162"),
                good("fixed[2]", new ArrowType.FixedSizeBinary(2), "ab", "6162"),
                good("fixed[2]", ArrowType.Binary.INSTANCE, "ab", "6162"),
                good("uuid", new ArrowType.FixedSizeBinary(16), "0123456789abcdef", "30313233343536373839616263646566"),
                good(
                        "uuid",
                        ArrowType.Utf8.INSTANCE,
                        "30313233-3435-3637-3839-616263646566",
                        "30313233343536373839616263646566"),
                good("date", ArrowType.Utf8.INSTANCE, "1970-01-02", "1"),
                good("timestamptz", ArrowType.Utf8.INSTANCE, "1970-01-01T01:00:00+01:00", "0"),
                good("decimal(9,2)", ArrowType.Utf8.INSTANCE, "1.5", "1.50"),
                good("fixed[1]", ArrowType.Utf8.INSTANCE, "7f", "7f"));
    }

    @ParameterizedTest(name = "{0}: {1} {2}")
    @MethodSource({"goodNumbers", "goodOthers"})
    void whatHoldsTheValueExactlyIsTaken(String column, ArrowType type, Object value, String expected) {
        Bodies.Read read = read(column, type, value);

        assertThat(read.faults().first()).isEmpty();
        assertThat(read.values()).containsExactly(List.of(expected), List.of("null"), List.of(expected));
    }

    private static Arguments bad(String column, ArrowType type, Object value, String code) {
        return Arguments.of(column, type, value, code);
    }

    static Stream<Arguments> bads() {
        return Stream.of(
                bad("boolean", integer(8, true), 1, "WrongType"),
                bad("boolean", ArrowType.Utf8.INSTANCE, "true", "WrongType"),
                bad("int", integer(64, true), 1L << 31, "OutOfRange"),
                bad("int", ArrowType.Utf8.INSTANCE, "1", "WrongType"),
                bad("int", ArrowType.Bool.INSTANCE, true, "WrongType"),
                bad("long", integer(64, false), -1L, "OutOfRange"),
                bad("long", DOUBLE, 1.5, "TooPrecise"),
                bad("long", DOUBLE, 1e19, "OutOfRange"),
                bad("long", DOUBLE, Double.NaN, "OutOfRange"),
                bad("float", DOUBLE, 0.1, "TooPrecise"),
                bad("float", DOUBLE, 1e300, "TooPrecise"),
                bad("float", integer(32, true), 16777217, "TooPrecise"),
                bad("double", integer(64, true), (1L << 53) + 1, "TooPrecise"),
                bad("double", integer(64, true), Long.MAX_VALUE, "TooPrecise"),
                bad("double", decimal(9, 2, 128), new BigDecimal("0.10"), "TooPrecise"),
                bad("decimal(9,2)", decimal(9, 3, 128), new BigDecimal("0.001"), "TooPrecise"),
                bad("decimal(9,2)", decimal(38, 0, 128), new BigDecimal("12345678"), "OutOfRange"),
                bad("decimal(9,2)", DOUBLE, 0.1, "TooPrecise"),
                bad("decimal(9,2)", DOUBLE, Double.NEGATIVE_INFINITY, "OutOfRange"),
                bad("date", new ArrowType.Date(DateUnit.MILLISECOND), 1L, "TooPrecise"),
                bad("date", stamp(TimeUnit.SECOND, null), 0L, "WrongType"),
                bad("time", new ArrowType.Time(TimeUnit.NANOSECOND, 64), 1L, "TooPrecise"),
                bad("time", new ArrowType.Time(TimeUnit.SECOND, 32), 86_400, "OutOfRange"),
                bad("time", new ArrowType.Time(TimeUnit.SECOND, 32), -1, "OutOfRange"),
                bad("timestamp", stamp(TimeUnit.NANOSECOND, null), 1L, "TooPrecise"),
                bad("timestamp", stamp(TimeUnit.SECOND, null), Long.MAX_VALUE, "OutOfRange"),
                bad("timestamp", stamp(TimeUnit.MICROSECOND, "UTC"), 0L, "ZoneUnexpected"),
                bad("timestamptz", stamp(TimeUnit.MICROSECOND, null), 0L, "ZoneMissing"),
                bad("timestamp", new ArrowType.Date(DateUnit.DAY), 0, "WrongType"),
                bad("string", integer(32, true), 1, "WrongType"),
                bad("string", ArrowType.Binary.INSTANCE, "a", "WrongType"),
                bad("binary", ArrowType.Utf8.INSTANCE, "x", "InvalidValue"),
                bad("fixed[2]", ArrowType.Binary.INSTANCE, "abc", "WrongLength"),
                bad("uuid", new ArrowType.FixedSizeBinary(15), "0123456789abcde", "WrongLength"),
                bad("unknown", integer(32, true), 1, "WrongType"),
                bad("variant", ArrowType.Utf8.INSTANCE, "{", "MalformedJson"),
                bad("variant", integer(32, true), 1, "WrongType"),
                bad("long", new ArrowType.Duration(TimeUnit.SECOND), 1L, "WrongType"),
                bad("int", new ArrowType.Interval(IntervalUnit.YEAR_MONTH), 1, "WrongType"));
    }

    @ParameterizedTest(name = "{0}: {1} {2}")
    @MethodSource("bads")
    void whatDoesNotIsRefusedByRow(String column, ArrowType type, Object value, String code) {
        Bodies.Read read = read(column, type, value);

        assertThat(read.values()).containsExactly(List.of("null"));
        assertThat(read.faults().first()).extracting(RowFault::code).containsExactly(code, code);
        assertThat(read.faults().first()).extracting(RowFault::row).containsExactly(0L, 2L);
    }

    /// The value, a null, and the value.
    private static Bodies.Read read(String column, ArrowType type, Object value) {
        byte[] body = ArrowBodies.of(List.of(field("c", type)), root -> {
            set(root.getVector(0), 0, value);
            root.getVector(0).setNull(1);
            set(root.getVector(0), 2, value);
            root.setRowCount(3);
        });
        return Bodies.arrow(Bodies.column(Samples.type(column)), OnError.SKIP, body);
    }

    private static void set(FieldVector vector, int at, Object value) {
        switch (vector) {
            case BitVector bits -> bits.setSafe(at, (Boolean) value ? 1 : 0);
            case TinyIntVector v -> v.setSafe(at, ((Number) value).intValue());
            case UInt1Vector v -> v.setSafe(at, ((Number) value).intValue());
            case SmallIntVector v -> v.setSafe(at, ((Number) value).intValue());
            case UInt2Vector v -> v.setSafe(at, ((Number) value).intValue());
            case IntVector v -> v.setSafe(at, (Integer) value);
            case UInt4Vector v -> v.setSafe(at, (Integer) value);
            case BigIntVector v -> v.setSafe(at, (Long) value);
            case UInt8Vector v -> v.setSafe(at, (Long) value);
            case Float2Vector v -> v.setSafe(at, Float16.toFloat16(((Double) value).floatValue()));
            case Float4Vector v -> v.setSafe(at, ((Double) value).floatValue());
            case Float8Vector v -> v.setSafe(at, (Double) value);
            case DecimalVector v -> v.setSafe(at, ((BigDecimal) value).setScale(v.getScale()));
            case Decimal256Vector v -> v.setSafe(at, ((BigDecimal) value).setScale(v.getScale()));
            case DateDayVector v -> v.setSafe(at, (Integer) value);
            case DateMilliVector v -> v.setSafe(at, (Long) value);
            case TimeSecVector v -> v.setSafe(at, (Integer) value);
            case TimeMilliVector v -> v.setSafe(at, (Integer) value);
            case TimeMicroVector v -> v.setSafe(at, (Long) value);
            case TimeNanoVector v -> v.setSafe(at, (Long) value);
            case TimeStampVector v -> v.setSafe(at, (Long) value);
            case DurationVector v -> v.setSafe(at, (Long) value);
            case IntervalYearVector v -> v.setSafe(at, (Integer) value);
            case FixedSizeBinaryVector v -> v.setSafe(at, bytes(value));
            case BaseVariableWidthVector v -> v.setSafe(at, bytes(value));
            case BaseLargeVariableWidthVector v -> v.setSafe(at, bytes(value));
            case BaseVariableWidthViewVector v -> v.setSafe(at, bytes(value));
            default -> throw new IllegalArgumentException(vector.getClass().getName());
        }
    }

    private static byte[] bytes(Object text) {
        return ((String) text).getBytes(StandardCharsets.UTF_8);
    }

    private static final Schema NESTED = new Schema(
            Types.NestedField.optional(1, "k", Types.LongType.get()),
            Types.NestedField.optional(
                    2,
                    "s",
                    Types.StructType.of(
                            Types.NestedField.optional(3, "x", Types.LongType.get()),
                            Types.NestedField.optional("d")
                                    .withId(4)
                                    .ofType(Types.StringType.get())
                                    .withWriteDefault(Literal.of("dflt"))
                                    .build())),
            Types.NestedField.optional(5, "l", Types.ListType.ofOptional(6, Types.LongType.get())));

    @Test
    void fieldsAreMatchedByNameAtAnyDepthAndThoseLeftOutAreAbsent() {
        Field struct = field("s", ArrowType.Struct.INSTANCE, field("x", integer(16, true)));
        byte[] body = ArrowBodies.of(List.of(struct, field("k", integer(8, true))), root -> {
            StructVector s = (StructVector) root.getVector("s");
            s.setIndexDefined(0);
            ((SmallIntVector) s.getChild("x")).setSafe(0, 7);
            s.setNull(1);
            ((TinyIntVector) root.getVector("k")).setSafe(1, 5);
            root.setRowCount(2);
        });

        Bodies.Read read = Bodies.arrow(NESTED, OnError.REFUSE, body);

        assertThat(read.values())
                .containsExactly(List.of("null", "{\"x\":7,\"d\":\"dflt\"}", "null"), List.of("5", "null", "null"));
    }

    @Test
    void listsOfEveryKindAreLists() {
        Field large = field("l", ArrowType.LargeList.INSTANCE, field("item", integer(32, true)));
        Field fixed = field("l", new ArrowType.FixedSizeList(2), field("item", integer(32, true)));
        byte[] ofLarge = ArrowBodies.of(List.of(large), root -> {
            LargeListVector list = (LargeListVector) root.getVector(0);
            IntVector items = (IntVector) list.getDataVector();
            list.startNewValue(0);
            items.setSafe(0, 1);
            items.setSafe(1, 2);
            list.endValue(0, 2);
            list.startNewValue(1);
            list.endValue(1, 0);
            root.setRowCount(2);
        });
        byte[] ofFixed = ArrowBodies.of(List.of(fixed), root -> {
            FixedSizeListVector list = (FixedSizeListVector) root.getVector(0);
            list.setNull(0);
            list.startNewValue(1);
            ((IntVector) list.getDataVector()).setSafe(2, 3);
            ((IntVector) list.getDataVector()).setNull(3);
            root.setRowCount(2);
        });

        assertThat(Bodies.arrow(NESTED, OnError.REFUSE, ofLarge).values())
                .containsExactly(List.of("null", "null", "[1,2]"), List.of("null", "null", "[]"));
        assertThat(Bodies.arrow(NESTED, OnError.REFUSE, ofFixed).values())
                .containsExactly(List.of("null", "null", "null"), List.of("null", "null", "[3,null]"));
    }

    @Test
    void aFaultNamesTheFieldAtItsDepth() {
        Field large = field("l", ArrowType.LargeList.INSTANCE, field("item", DOUBLE));
        byte[] body = ArrowBodies.of(List.of(large), root -> {
            LargeListVector list = (LargeListVector) root.getVector(0);
            list.startNewValue(0);
            ((Float8Vector) list.getDataVector()).setSafe(0, 1.5);
            list.endValue(0, 1);
            root.setRowCount(1);
        });

        assertThat(Bodies.arrow(NESTED, OnError.SKIP, body).faults().first())
                .extracting(RowFault::field)
                .containsExactly("l.element");
    }

    @Test
    void unknownFieldsAndTwoOfOneNameAreRefusedByRow() {
        assertThat(codes(List.of(field("k", integer(8, true)), field("z", integer(8, true)))))
                .containsExactly("UnknownField");
        assertThat(codes(List.of(field("k", integer(8, true)), field("k", integer(8, true)))))
                .containsExactly("DuplicateKey");
    }

    private static List<String> codes(List<Field> fields) {
        byte[] body = ArrowBodies.of(fields, root -> root.setRowCount(1));
        return Bodies.arrow(NESTED, OnError.SKIP, body).faults().first().stream()
                .map(RowFault::code)
                .toList();
    }

    @Test
    void dictionariesAreFollowed() {
        try (BufferAllocator allocator = new RootAllocator();
                VarCharVector texts = new VarCharVector("c", allocator);
                VarCharVector plain = new VarCharVector("c", allocator)) {
            fill(texts, "ü", "zwei");
            fill(plain, "zwei", null, "ü", "zwei");
            DictionaryEncoding encoding = new DictionaryEncoding(7, false, new ArrowType.Int(8, true));
            Dictionary dictionary = new Dictionary(texts, encoding);
            try (FieldVector encoded = (FieldVector) DictionaryEncoder.encode(plain, dictionary);
                    VectorSchemaRoot root = VectorSchemaRoot.of(encoded)) {
                byte[] body = ArrowBodies.written(root, new DictionaryProvider.MapDictionaryProvider(dictionary));

                Bodies.Read read = Bodies.arrow(Bodies.column(Types.StringType.get()), OnError.REFUSE, body);

                assertThat(read.values())
                        .containsExactly(List.of("zwei"), List.of("null"), List.of("ü"), List.of("zwei"));
            }
        }
    }

    @Test
    void buffersMayBeCompressedWithZstd() {
        byte[] body = ArrowBodies.compressed(List.of(field("c", ArrowType.Utf8.INSTANCE)), root -> {
            fill((VarCharVector) root.getVector(0), "x".repeat(10_000), null, "");
            root.setRowCount(3);
        });

        assertThat(body).hasSizeLessThan(2_000);
        assertThat(Bodies.arrow(Bodies.column(Types.StringType.get()), OnError.REFUSE, body)
                        .values())
                .containsExactly(List.of("x".repeat(10_000)), List.of("null"), List.of(""));
    }

    private static void fill(VarCharVector vector, @Nullable String... values) {
        for (int i = 0; i < values.length; i++) {
            String value = values[i];
            if (value == null) {
                vector.setNull(i);
            } else {
                vector.setSafe(i, bytes(value));
            }
        }
        vector.setValueCount(values.length);
    }

    @Test
    void textThatIsNotUtf8CostsItsRow() {
        Consumer<VectorSchemaRoot> fill = root -> {
            ((VarCharVector) root.getVector(0)).setSafe(0, new byte[] {(byte) 0xC3});
            ((VarCharVector) root.getVector(0)).setSafe(1, bytes("good"));
            root.setRowCount(2);
        };
        byte[] body = ArrowBodies.of(List.of(field("c", ArrowType.Utf8.INSTANCE)), fill);

        Bodies.Read read = Bodies.arrow(Bodies.column(Types.StringType.get()), OnError.SKIP, body);

        assertThat(read.values()).containsExactly(List.of("good"));
        assertThat(read.faults().first()).extracting(RowFault::code).containsExactly("InvalidUtf8");
    }

    @Test
    void aTextIsJsonForAVariant() {
        byte[] body = ArrowBodies.of(List.of(field("c", ArrowType.Utf8.INSTANCE)), root -> {
            ((VarCharVector) root.getVector(0)).setSafe(0, bytes("{\"a\":[1,null]}"));
            ((VarCharVector) root.getVector(0)).setSafe(1, bytes(" 7 "));
            ((VarCharVector) root.getVector(0)).setSafe(2, bytes("null"));
            root.setRowCount(3);
        });
        Schema variant = Bodies.column(Types.VariantType.get());

        assertThat(Bodies.arrow(variant, OnError.REFUSE, body).values())
                .isEqualTo(Bodies.ndjson(variant, OnError.REFUSE, "{\"c\":{\"a\":[1,null]}}\n{\"c\":7}\n{\"c\":null}\n")
                        .values());
    }

    @Test
    void aTableIsMadeOfTheTypesExactly() throws java.io.IOException {
        Map<String, String> metadata = Map.of("ARROW:extension:name", "arrow.uuid", "ARROW:extension:metadata", "");
        Field uuid = new Field("u", new FieldType(true, new ArrowType.FixedSizeBinary(16), null, metadata), List.of());
        Field entries = new Field(
                "entries",
                FieldType.notNullable(ArrowType.Struct.INSTANCE),
                List.of(
                        new Field("key", FieldType.notNullable(ArrowType.Utf8.INSTANCE), List.of()),
                        field("value", SINGLE)));
        List<Field> fields = List.of(
                field("a", integer(8, true)),
                field("b", integer(32, false)),
                field("c", integer(64, false)),
                field("d", HALF),
                field("e", decimal(9, 2, 128)),
                field("f", stamp(TimeUnit.MILLISECOND, null)),
                field("g", stamp(TimeUnit.NANOSECOND, "UTC")),
                field("h", new ArrowType.FixedSizeBinary(16)),
                uuid,
                field("l", ArrowType.LargeList.INSTANCE, field("item", new ArrowType.Date(DateUnit.DAY))),
                new Field("m", FieldType.nullable(new ArrowType.Map(false)), List.of(entries)),
                field("n", ArrowType.Null.INSTANCE));
        byte[] body = ArrowBodies.of(fields, root -> root.setRowCount(0));
        Rereadable read = new Rereadable(new java.io.ByteArrayInputStream(body), _ -> {});

        Schema schema = ArrowSchemas.of(read).orThrow();

        assertThat(schema.columns())
                .extracting(column -> column.name() + " " + column.type())
                .containsExactly(
                        "a int",
                        "b long",
                        "c decimal(20, 0)",
                        "d float",
                        "e decimal(9, 2)",
                        "f timestamp",
                        "g timestamptz_ns",
                        "h fixed[16]",
                        "u uuid",
                        "l list<date>",
                        "m map<string, float>",
                        "n string");
        assertThat(RowTypes.refusal(schema)).isEmpty();
    }
}
