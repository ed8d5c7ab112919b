package io.storageengine.ingest.flow;

import static org.assertj.core.api.Assertions.assertThat;

import io.storageengine.core.Failure;
import io.storageengine.core.Outcome;
import io.storageengine.core.message.EndedRows;
import io.storageengine.core.message.RowOptions;
import io.storageengine.core.message.TableRef;
import io.storageengine.ingest.rows.ArrowBodies;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.iceberg.data.Record;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Whole requests whose bodies are not JSON.
class BodyFormatsFlowTest {
    private static final String NDJSON = """
            {"n":1,"s":"a"}
            {"n":null,"s":""}
            {"n":3,"s":null}
            """;

    private static final String CSV = "n,s\r\n1,a\r\n,\"\"\r\n3,\r\n";
    private final World world = new World(1);
    private final Node node = new Node(world, 2);

    @AfterEach
    void end() {
        node.close();
    }

    private static RowOptions options(RowOptions.Format format, RowOptions.OnError onError) {
        return new RowOptions(format, RowOptions.Encoding.IDENTITY, true, RowOptions.Ack.COMMITTED, onError, "", -1);
    }

    private static TableRef table(String name) {
        return new TableRef("dev", List.of("demo"), name);
    }

    private static Field column(String name, ArrowType type) {
        return new Field(name, FieldType.nullable(type), List.of());
    }

    private static byte[] arrow(int rows) {
        List<Field> fields = List.of(column("n", new ArrowType.Int(64, true)), column("s", ArrowType.Utf8.INSTANCE));
        return ArrowBodies.of(fields, root -> {
            BigIntVector numbers = (BigIntVector) root.getVector(0);
            VarCharVector texts = (VarCharVector) root.getVector(1);
            for (int i = 0; i < rows; i++) {
                if (i % 3 != 1) numbers.setSafe(i, i + 1L);
                if (i % 3 != 2) texts.setSafe(i, i % 3 == 1 ? new byte[0] : new byte[] {'a'});
            }
            root.setRowCount(rows);
        });
    }

    private Outcome<EndedRows> send(String table, RowOptions.Format format, byte[] body) {
        return node.send(table(table), options(format, RowOptions.OnError.REFUSE), body, 100_000);
    }

    @Test
    void theSameRowsGiveTheSameTable() {
        assertThat(send("json", RowOptions.Format.NDJSON, NDJSON.getBytes(StandardCharsets.UTF_8))
                        .orThrow()
                        .taken())
                .isTrue();
        assertThat(send("csv", RowOptions.Format.CSV, CSV.getBytes(StandardCharsets.UTF_8))
                        .orThrow()
                        .taken())
                .isTrue();
        assertThat(send("arrow", RowOptions.Format.ARROW, arrow(3)).orThrow().taken())
                .isTrue();

        List<Record> rows = world.rows(table("json"));
        assertThat(rows).hasSize(3);
        assertThat(world.rows(table("csv"))).isEqualTo(rows);
        assertThat(world.rows(table("arrow"))).isEqualTo(rows);
        assertThat(world.metadata(table("csv")).schema().asStruct())
                .isEqualTo(world.metadata(table("json")).schema().asStruct())
                .isEqualTo(world.metadata(table("arrow")).schema().asStruct());
    }

    @Test
    void aStreamThatIsLargerThanABufferIsTakenWhole() throws Exception {
        assertThat(send("large", RowOptions.Format.ARROW, arrow(1_000_000))
                        .orThrow()
                        .taken())
                .isTrue();

        node.awaitIdle();
        assertThat(world.rows(table("large"))).hasSize(1_000_000);
        assertThat(node.ingest.memoryBytes()).isZero();
    }

    @Test
    void badRowsOfEachFormatRefuseAllOrAreSkipped() {
        byte[] body = "n,s\n1,a\nx,b\n3\n".getBytes(StandardCharsets.UTF_8);
        send("t", RowOptions.Format.NDJSON, NDJSON.getBytes(StandardCharsets.UTF_8))
                .orThrow();

        EndedRows refused = send("t", RowOptions.Format.CSV, body).orThrow();
        EndedRows skipped = node.send(table("t"), options(RowOptions.Format.CSV, RowOptions.OnError.SKIP), body, 7)
                .orThrow();

        assertThat(refused.taken()).isFalse();
        assertThat(refused.answer()).contains("\"row\":1", "InvalidValue", "\"row\":2", "WrongFieldCount");
        assertThat(skipped.answer()).contains("\"accepted\":1", "\"rejected-count\":2");
        assertThat(world.rows(table("t"))).hasSize(4);
    }

    @Test
    void aBodyThatIsNoneOfItsFormatIsTheSendersFaultAndLeavesNothing() throws Exception {
        byte[] good = arrow(50);
        send("t", RowOptions.Format.ARROW, good).orThrow();
        node.awaitIdle();
        for (long seed = 0; seed < 200; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            byte[] body = good.clone();
            for (int i = 0; i < 3; i++) body[random.nextInt(body.length)] = (byte) random.nextInt();
            if (send("t", RowOptions.Format.ARROW, body) instanceof Outcome.Failed<EndedRows>(Failure failure))
                assertThat(failure.kind()).as("seed " + seed).isIn(Failure.Kind.INVALID, Failure.Kind.THROTTLED);
        }
        assertThat(send("other", RowOptions.Format.ARROW, new byte[100]).isOk()).isFalse();
        assertThat(send("other", RowOptions.Format.CSV, new byte[0]).isOk()).isFalse();

        node.awaitIdle();
        assertThat(node.ingest.memoryBytes()).isZero();
    }
}
