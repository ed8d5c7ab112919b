package io.storageengine.ingest.encode;

import org.apache.iceberg.FieldMetrics;
import org.apache.iceberg.types.Type;

/// What Iceberg wants to know of a column of floats or doubles and a Parquet footer does not say: how many
/// values are not a number, and bounds that leave those out.
///
/// A bound of zero is widened to both zeros, which compare as equal in engines but not in Iceberg.
final class FloatStatistics {
    private long numbers;
    private long nans;
    private double lower = Double.POSITIVE_INFINITY;
    private double upper = Double.NEGATIVE_INFINITY;

    void add(double value) {
        if (Double.isNaN(value)) {
            nans++;
            return;
        }
        numbers++;
        if (value < lower) {
            lower = value;
        }
        if (value > upper) {
            upper = value;
        }
    }

    /// Adds many values.
    ///
    /// @param low the lowest of the numbers, infinite when there is none
    /// @param high the highest
    void add(long moreNumbers, long moreNans, double low, double high) {
        numbers += moreNumbers;
        nans += moreNans;
        lower = Math.min(lower, low);
        upper = Math.max(upper, high);
    }

    /// The metrics of the column.
    ///
    /// @param entries values and nulls
    FieldMetrics<?> metrics(int fieldId, Type type, long entries) {
        long nulls = entries - numbers - nans;
        if (numbers == 0) {
            return new FieldMetrics<>(fieldId, entries, nulls, nans);
        }
        double low = lower == 0 ? -0.0 : lower;
        double high = upper == 0 ? 0.0 : upper;
        if (type.typeId() == Type.TypeID.FLOAT) {
            return new FieldMetrics<>(fieldId, entries, nulls, nans, (float) low, (float) high, type);
        }
        return new FieldMetrics<>(fieldId, entries, nulls, nans, low, high, type);
    }
}
