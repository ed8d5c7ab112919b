package io.storageengine.ingest.encode;

import io.storageengine.ingest.rows.RowBatch;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.PartitionField;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.StructLike;
import org.jspecify.annotations.Nullable;

/// Splits batches of one schema by partition.
final class Partitions {
    private final PartitionSpec spec;

    Partitions(PartitionSpec spec) {
        this.spec = spec;
    }

    /// The rows of every partition, partitions in the order in which they first occur.
    Map<Partition, List<Selection>> split(List<RowBatch> batches) {
        Map<Partition, List<Selection>> split = new LinkedHashMap<>();
        for (RowBatch batch : batches) {
            for (Map.Entry<Partition, Rows> part : split(batch).entrySet()) {
                Rows rows = part.getValue();
                split.computeIfAbsent(part.getKey(), _ -> new ArrayList<>())
                        .add(Selection.of(batch, rows.rows, rows.size));
            }
        }
        return split;
    }

    private Map<Partition, Rows> split(RowBatch batch) {
        List<PartitionValue> values = new ArrayList<>();
        for (PartitionField field : spec.fields()) {
            values.add(PartitionValue.of(field, spec, batch));
        }
        Map<Partition, Rows> split = new LinkedHashMap<>();
        for (int row = 0; row < batch.rows(); row++) {
            @Nullable Object[] key = new @Nullable Object[values.size()];
            for (int i = 0; i < key.length; i++) {
                key[i] = values.get(i).of(row);
            }
            split.computeIfAbsent(new Partition(key), _ -> new Rows()).add(row);
        }
        return split;
    }

    /// Row numbers.
    private static final class Rows {
        private int[] rows = new int[16];
        private int size;

        void add(int row) {
            if (size == rows.length) {
                rows = Arrays.copyOf(rows, 2 * size);
            }
            rows[size++] = row;
        }
    }

    /// The values of a partition, as Iceberg represents them.
    static final class Partition implements StructLike {
        /// That of an unpartitioned table.
        static final Partition NONE = new Partition(new @Nullable Object[0]);

        private final @Nullable Object[] values;

        Partition(@Nullable Object[] values) {
            this.values = values;
        }

        @Override
        public int size() {
            return values.length;
        }

        @Override
        public <T> @Nullable T get(int position, Class<T> type) {
            return type.cast(values[position]);
        }

        @Override
        public <T> void set(int position, T value) {
            throw new UnsupportedOperationException("a partition does not change");
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Partition partition && Arrays.equals(values, partition.values);
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(values);
        }

        @Override
        public String toString() {
            return Arrays.toString(values);
        }
    }
}
