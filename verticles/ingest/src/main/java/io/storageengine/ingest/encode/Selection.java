package io.storageengine.ingest.encode;

import io.storageengine.ingest.rows.RowBatch;
import org.jspecify.annotations.Nullable;

/// Some rows of a batch, in order.
final class Selection {
    private final RowBatch batch;
    private final int @Nullable [] rows;
    private final int from;
    private final int size;

    private Selection(RowBatch batch, int @Nullable [] rows, int from, int size) {
        this.batch = batch;
        this.rows = rows;
        this.from = from;
        this.size = size;
    }

    static Selection all(RowBatch batch) {
        return new Selection(batch, null, 0, batch.rows());
    }

    /// The rows `rows[0]` to `rows[size - 1]`.
    static Selection of(RowBatch batch, int[] rows, int size) {
        return new Selection(batch, rows, 0, size);
    }

    RowBatch batch() {
        return batch;
    }

    int size() {
        return size;
    }

    int row(int index) {
        return rows == null ? from + index : rows[from + index];
    }

    Selection part(int start, int length) {
        return new Selection(batch, rows, from + start, length);
    }

    /// Column memory of these rows, when all rows of the batch are alike.
    long bytes() {
        return batch.rows() == 0 ? 0 : batch.bytes() * size / batch.rows();
    }
}
