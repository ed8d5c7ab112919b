package io.storageengine.ingest.rows;

import static io.storageengine.ingest.rows.ArrowBodies.field;
import static org.assertj.core.api.Assertions.assertThat;

import io.storageengine.core.Failure;
import io.storageengine.core.FailureException;
import io.storageengine.core.message.RowOptions.Format;
import io.storageengine.core.message.RowOptions.OnError;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.OutOfMemoryException;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ViewVarCharVector;
import org.apache.arrow.vector.dictionary.Dictionary;
import org.apache.arrow.vector.dictionary.DictionaryEncoder;
import org.apache.arrow.vector.dictionary.DictionaryProvider;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.DictionaryEncoding;
import org.apache.iceberg.Schema;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Good bodies with some bytes changed, dropped or cut off: each is read or refused in little time, and gives
/// back all memory.
@Timeout(value = 300, unit = TimeUnit.SECONDS)
class BodyFuzzTest {
    private static final long MEMORY = 64L << 20;
    private static final int BODIES = Integer.getInteger("fuzz.bodies", 3_000);

    private static final Schema ALL = new Schema(
            Types.NestedField.optional(1, "b", Types.BooleanType.get()),
            Types.NestedField.optional(2, "i", Types.IntegerType.get()),
            Types.NestedField.optional(3, "d", Types.DecimalType.of(9, 2)),
            Types.NestedField.optional(4, "t", Types.TimestampType.withZone()),
            Types.NestedField.optional(5, "s", Types.StringType.get()),
            Types.NestedField.optional(6, "u", Types.UUIDType.get()),
            Types.NestedField.optional(7, "v", Types.VariantType.get()),
            Types.NestedField.optional(8, "l", Types.ListType.ofOptional(9, Types.DoubleType.get())),
            Types.NestedField.optional(
                    10, "m", Types.MapType.ofOptional(11, 12, Types.StringType.get(), Types.BinaryType.get())),
            Types.NestedField.optional(
                    13, "r", Types.StructType.of(Types.NestedField.optional(14, "x", Types.DateType.get()))),
            Types.NestedField.optional(15, "n", Types.UnknownType.get()));

    private static final String ROWS = """
            {"b":true,"i":1,"d":1.5,"t":"2024-01-01T00:00:00Z","s":"text","u":"f79c3e09-677c-4bbd-a479-3f349cb785e7"}
            {"v":{"a":[1,"x"]},"l":[1.5,null],"m":{"k":"00ff","l":null},"r":{"x":"2024-01-01"}}
            {"b":false,"s":"a longer text, with ünï in it","l":[],"m":{},"r":{}}
            """;

    private static final String CSV = """
            b,i,s,v,l
            true,1,text,"{""a"":[1,""x""]}","[1.5,null]"
            ,2,"a ""quoted"", text
            of two lines",,[]
            false,,"",null,
            """;

    static Stream<Arguments> bodies() {
        return Stream.of(
                Arguments.of("csv", Format.CSV, ALL, Bodies.utf8(CSV)),
                Arguments.of("ndjson", Format.NDJSON, ALL, Bodies.utf8(ROWS)),
                Arguments.of("arrow", Format.ARROW, ALL, ArrowBodies.ofJson(ALL, ROWS)),
                Arguments.of("arrow, dictionary", Format.ARROW, Bodies.column(Types.StringType.get()), dictionary()),
                Arguments.of("arrow, views", Format.ARROW, Bodies.column(Types.StringType.get()), views()),
                Arguments.of("arrow, zstd", Format.ARROW, Bodies.column(Types.LongType.get()), compressed()));
    }

    private static byte[] dictionary() {
        try (BufferAllocator allocator = new RootAllocator();
                VarCharVector texts = new VarCharVector("c", allocator)) {
            texts.setSafe(0, Bodies.utf8("one"));
            texts.setSafe(1, Bodies.utf8("two"));
            texts.setValueCount(2);
            Dictionary dictionary =
                    new Dictionary(texts, new DictionaryEncoding(7, false, new ArrowType.Int(32, true)));
            try (FieldVector encoded = (FieldVector) DictionaryEncoder.encode(texts, dictionary);
                    VectorSchemaRoot root = VectorSchemaRoot.of(encoded)) {
                return ArrowBodies.written(root, new DictionaryProvider.MapDictionaryProvider(dictionary));
            }
        }
    }

    private static byte[] views() {
        return ArrowBodies.of(List.of(field("c", ArrowType.Utf8View.INSTANCE)), root -> {
            ((ViewVarCharVector) root.getVector(0)).setSafe(0, Bodies.utf8("a text beyond twelve bytes"));
            ((ViewVarCharVector) root.getVector(0)).setSafe(1, Bodies.utf8("short"));
            root.setRowCount(2);
        });
    }

    private static byte[] compressed() {
        return ArrowBodies.compressed(List.of(field("c", new ArrowType.Int(64, true))), root -> {
            for (int i = 0; i < 1_000; i++) {
                ((BigIntVector) root.getVector(0)).setSafe(i, i % 10);
            }
            root.setRowCount(1_000);
        });
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("bodies")
    void aBodyThatIsNotWhatItWasIsReadOrRefused(String name, Format format, Schema schema, byte[] good)
            throws IOException {
        assertThat(outcome(format, schema, good)).isEqualTo("read");
        int read = 0;
        for (long seed = 0; seed < BODIES; seed++) {
            byte[] body = changed(good, new SplittableRandom(seed));
            try {
                read += outcome(format, schema, body).equals("read") ? 1 : 0;
            } catch (RuntimeException | Error wrong) {
                throw new AssertionError(name + ", seed " + seed, wrong);
            }
        }
        assertThat(read)
                .as("bodies that are read all the same")
                .isBetween(1, BODIES - 1 + (format == Format.ARROW ? 0 : 1));
    }

    private static byte[] changed(byte[] good, SplittableRandom random) {
        byte[] body = good.clone();
        int changes = 1 + random.nextInt(4);
        for (int i = 0; i < changes; i++) {
            int at = random.nextInt(body.length);
            switch (random.nextInt(8)) {
                case 0 -> body = Arrays.copyOf(body, Math.max(1, at));
                case 1 -> body[at] = (byte) (random.nextBoolean() ? 0 : -1);
                case 2 -> System.arraycopy(body, at / 2, body, at, Math.min(8, body.length - at));
                case 3 -> body[at]++;
                case 4 -> body[at] = (byte) 0x7F;
                default -> body[at] = (byte) random.nextInt();
            }
        }
        return body;
    }

    /// Reads a body to its end, or until it is refused as one that the sender has to change.
    private static String outcome(Format format, Schema schema, byte[] body) throws IOException {
        AtomicLong held = new AtomicLong();
        try (BufferAllocator allocator = new RootAllocator(MEMORY)) {
            try (RowReader rows = RowReader.open(
                    new ByteArrayInputStream(body),
                    format,
                    OnError.SKIP,
                    schema,
                    RowLimits.DEFAULT,
                    allocator,
                    held::addAndGet)) {
                for (RowBatch batch = rows.next(1_000, 1 << 20); batch != null; batch = rows.next(1_000, 1 << 20)) {
                    batch.close();
                }
                return "read";
            } catch (FailureException refused) {
                assertThat(refused.failure().kind()).isEqualTo(Failure.Kind.INVALID);
                return "refused";
            } catch (OutOfMemoryException tight) {
                return "no memory";
            } finally {
                assertThat(allocator.getAllocatedMemory()).isZero();
                assertThat(held.get()).isZero();
            }
        }
    }
}
