package io.storageengine.ingest.rows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.storageengine.core.message.RowOptions.Format;
import io.storageengine.core.message.RowOptions.OnError;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.channels.Channels;
import java.util.Objects;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.OutOfMemoryException;
import org.apache.arrow.memory.RootAllocator;
import org.apache.iceberg.Schema;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.Test;

/// Batches, their sizes and their memory.
class JsonRowsTest {
    private static final Schema SCHEMA = new Schema(
            Types.NestedField.optional(1, "a", Types.LongType.get()),
            Types.NestedField.optional(2, "b", Types.ListType.ofOptional(3, Types.StringType.get())));

    private static JsonRows open(String body, BufferAllocator allocator) {
        return JsonRows.open(
                new ByteArrayInputStream(Bodies.utf8(body)),
                Format.NDJSON,
                OnError.REFUSE,
                SCHEMA,
                RowLimits.DEFAULT,
                allocator,
                _ -> {});
    }

    @Test
    void aBatchEndsAtItsRowsOrItsBytes() throws IOException {
        String body = ("{\"a\":1,\"b\":[\"" + "x".repeat(1000) + "\"]}\n").repeat(5_000);
        try (BufferAllocator allocator = new RootAllocator()) {
            JsonRows rows = open(body, allocator);
            try (RowBatch batch = Objects.requireNonNull(rows.next(300, 1L << 30))) {
                assertThat(batch.rows()).isEqualTo(300);
            }
            try (RowBatch batch = Objects.requireNonNull(rows.next(5_000, 100_000))) {
                assertThat(batch.bytes()).isBetween(100_000L, 1_200_000L);
            }
        }
    }

    @Test
    void whenMemoryRunsOutNothingIsHeld() {
        try (BufferAllocator allocator = new RootAllocator(300_000)) {
            JsonRows rows =
                    open("{\"a\":1,\"b\":[\"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\"]}\n".repeat(50_000), allocator);

            assertThatThrownBy(() -> rows.next(50_000, 1L << 30)).isInstanceOf(OutOfMemoryException.class);

            assertThat(allocator.getAllocatedMemory()).isZero();
        }
    }

    @Test
    void aBatchOfAnotherSchemaIsNotReadAsThisOne() throws IOException {
        Schema other = new Schema(Types.NestedField.optional(9, "a", Types.LongType.get()));
        try (BufferAllocator allocator = new RootAllocator();
                RowBatch batch =
                        Objects.requireNonNull(open("{\"a\":1}", allocator).next(10, 1000))) {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            batch.writeIpc(Channels.newChannel(bytes));

            assertThatThrownBy(() -> RowBatch.readIpc(new ByteArrayInputStream(bytes.toByteArray()), other, allocator))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("layout");
            try (RowBatch again = RowBatch.readIpc(new ByteArrayInputStream(bytes.toByteArray()), SCHEMA, allocator)) {
                assertThat(again.columns().contentToTSVString())
                        .isEqualTo(batch.columns().contentToTSVString());
            }
        }
    }

    @Test
    void anEndlessRowOfBadOnesTakesNoMemory() throws IOException {
        try (BufferAllocator allocator = new RootAllocator(200_000)) {
            JsonRows rows = open("{\"a\":1}\n" + "{\"a\":true}\n{\"a\":2}\n".repeat(200_000), allocator);

            assertThat(rows.next(1_000_000, 1L << 30)).isNull();
            assertThat(rows.faults().rows()).isEqualTo(200_000);
        }
    }
}
