package io.storageengine.ingest.rows;

import static org.assertj.core.api.Assertions.assertThat;

import io.storageengine.core.Outcome;
import io.storageengine.core.message.RowOptions.Format;
import io.storageengine.core.message.RowOptions.OnError;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import org.apache.iceberg.Schema;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What a table becomes that is made from the first rows of a CSV body.
class CsvInferenceTest {
    private static Outcome<Schema> infer(String body) throws IOException {
        Rereadable read = new Rereadable(new ByteArrayInputStream(Bodies.utf8(body)), _ -> {});
        return SchemaInference.infer(read, Format.CSV, RowLimits.DEFAULT);
    }

    /// Two fields of one column, and its type.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "1|-2|long",
                "9223372036854775807||long",
                "9223372036854775808|1|string",
                "1|1.5|double",
                "1e3|2|double",
                "1e999|2|string",
                "007|1|string",
                "+1|1|string",
                "NaN|1|string",
                "\"1\"|\"2\"|string",
                "true|FALSE|boolean",
                "true|1|string",
                "2024-01-01T00:00:00Z|\"2024-01-01T00:00:00+01:00\"|timestamptz",
                "2024-01-01T00:00:00|2024-01-01T00:00:00|string",
                "2024-01-01|2024-01-01|string",
                "{}|[]|string",
                "||string"
            })
    void aColumnIsWhatAllItsFieldsAre(@Nullable String first, @Nullable String second, String type) throws IOException {
        String body = "k,c\n1," + (first == null ? "" : first) + "\n2," + (second == null ? "" : second) + "\n";

        Schema schema = infer(body).orThrow();

        assertThat(schema.findField("c").type()).hasToString(type);
        assertThat(schema.columns()).allMatch(column -> column.isOptional());
        assertThat(Bodies.csv(schema, OnError.REFUSE, body).values()).hasSize(2);
    }

    @Test
    void badRowsDoNotCount() throws IOException {
        assertThat(infer("a,b\n1\n1,x\"\n1,2\n").orThrow().findField("b").type())
                .hasToString("long");
    }

    @Test
    void aNameIsNeededAndTakenOnce() throws IOException {
        assertThat(infer("a,\n1,2\n").isOk()).isFalse();
        assertThat(infer("a,A\n1,2\n").orThrow().columns()).hasSize(1);
    }
}
