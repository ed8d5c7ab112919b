package io.storageengine.ingest.encode;

import io.storageengine.core.message.RowOptions.Format;
import io.storageengine.core.message.RowOptions.OnError;
import io.storageengine.ingest.rows.JsonRows;
import io.storageengine.ingest.rows.Rereadable;
import io.storageengine.ingest.rows.RowBatch;
import io.storageengine.ingest.rows.RowLimits;
import io.storageengine.ingest.rows.SchemaInference;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.SortOrder;

/// Measures NDJSON to Parquet on one thread; a program, not a test. `generate FILE ROWS` makes a file of ten
/// columns, `run FILE ROUNDS` encodes it and prints CPU seconds of this thread per million rows.
final class Throughput {
    private Throughput() {}

    public static void main(String[] arguments) throws IOException {
        if (arguments[0].equals("generate")) {
            generate(Path.of(arguments[1]), Integer.parseInt(arguments[2]));
        } else {
            for (int round = 0; round < Integer.parseInt(arguments[2]); round++) {
                run(Path.of(arguments[1]));
            }
        }
    }

    private static void generate(Path file, int rows) throws IOException {
        SplittableRandom random = new SplittableRandom(1);
        String[] cities = {"Berlin", "Hamburg", "München", "Köln", "Paris", "New York", "São Paulo", "東京"};
        try (OutputStream out = Files.newOutputStream(file)) {
            StringBuilder text = new StringBuilder();
            for (int i = 0; i < rows; i++) {
                text.append(row(random, cities, i));
                if (text.length() > 1 << 20 || i == rows - 1) {
                    out.write(text.toString().getBytes(StandardCharsets.UTF_8));
                    text.setLength(0);
                }
            }
        }
    }

    private static String row(SplittableRandom random, String[] cities, int i) {
        long second = 1_700_000_000L + i / 20;
        String time = java.time.Instant.ofEpochSecond(second, random.nextInt(1_000_000) * 1_000L)
                .toString();
        return String.format(
                Locale.ROOT,
                "{\"id\":%d,\"ts\":\"%s\",\"user\":%d,\"city\":\"%s\",\"price\":%.2f,\"lat\":%.6f,\"lon\":%.6f,"
                        + "\"ok\":%b,\"session\":\"%016x\",\"note\":%s}%n",
                i,
                time,
                random.nextInt(100_000),
                cities[random.nextInt(cities.length)],
                random.nextInt(100_000) / 100.0,
                random.nextDouble() * 180 - 90,
                random.nextDouble() * 360 - 180,
                random.nextBoolean(),
                random.nextLong(),
                random.nextInt(10) == 0 ? "null" : "\"note of row " + random.nextInt(1000) + " and more\"");
    }

    private static void run(Path file) throws IOException {
        long start = cpuNanos();
        long parse = 0;
        long rows = 0;
        long bytes = 0;
        try (BufferAllocator allocator = new RootAllocator();
                InputStream sent = Files.newInputStream(file);
                Rereadable body = new Rereadable(sent, _ -> {})) {
            Schema schema = SchemaInference.infer(body, Format.NDJSON, RowLimits.DEFAULT)
                    .orThrow();
            body.again();
            JsonRows json =
                    JsonRows.open(body, Format.NDJSON, OnError.REFUSE, schema, RowLimits.DEFAULT, allocator, _ -> {});
            ParquetEncoder encoder = new ParquetEncoder(PartitionSpec.unpartitioned(), SortOrder.unsorted(), Map.of());
            while (true) {
                long before = cpuNanos();
                List<RowBatch> batches = new ArrayList<>();
                long waiting = 0;
                RowBatch batch = json.next(1 << 16, 16 << 20);
                while (batch != null) {
                    batches.add(batch);
                    waiting += batch.bytes();
                    batch = waiting > 128 << 20 ? null : json.next(1 << 16, 16 << 20);
                }
                parse += cpuNanos() - before;
                if (batches.isEmpty()) {
                    break;
                }
                Path out = Path.of(file + "." + rows + ".parquet");
                List<DataFile> made =
                        encoder.encode(batches, (spec, partition) -> org.apache.iceberg.Files.localOutput(fresh(out)));
                for (DataFile data : made) {
                    rows += data.recordCount();
                    bytes += data.fileSizeInBytes();
                }
                batches.forEach(RowBatch::close);
            }
            report(file, rows, bytes, parse, cpuNanos() - start, json.faults().rows());
        }
    }

    private static java.io.File fresh(Path path) {
        try {
            Files.deleteIfExists(path);
        } catch (IOException failed) {
            throw new java.io.UncheckedIOException(failed);
        }
        return path.toFile();
    }

    private static long cpuNanos() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    private static void report(Path file, long rows, long bytes, long parse, long all, long faults) throws IOException {
        System.out.printf(
                Locale.ROOT,
                "%d rows (%d bad), %d MB in, %d MB out: %.2f s per million rows, %.2f of it parsing; %.0f MB/s%n",
                rows,
                faults,
                Files.size(file) >> 20,
                bytes >> 20,
                all / 1e3 / rows,
                parse / 1e3 / rows,
                Files.size(file) / 1e6 / (all / 1e9));
    }
}
