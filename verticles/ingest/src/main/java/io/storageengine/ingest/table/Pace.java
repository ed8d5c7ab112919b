package io.storageengine.ingest.table;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/// When a table's waiting rows are committed: so long after the first of them, or when there are so many.
///
/// @param intervalMillis from the first waiting row to its commit
/// @param bytesMax waiting bytes that are committed at once
public record Pace(long intervalMillis, long bytesMax) {
    /// The table property for the interval in milliseconds.
    public static final String INTERVAL_MS = "se.commit.interval-ms";

    /// The table property for the bytes.
    public static final String BYTES = "se.commit.bytes";

    public Pace {
        if (intervalMillis < 0 || bytesMax < 1) throw new IllegalArgumentException("a pace goes forward");
    }

    /// The pace that a table's properties ask for; where they say nothing, or no number, this one.
    public Pace of(Map<String, String> properties) {
        return new Pace(
                number(properties.get(INTERVAL_MS), 0, intervalMillis), number(properties.get(BYTES), 1, bytesMax));
    }

    private static long number(@Nullable String text, long least, long otherwise) {
        try {
            return text == null ? otherwise : Math.max(least, Long.parseLong(text.strip()));
        } catch (NumberFormatException noNumber) {
            return otherwise;
        }
    }
}
