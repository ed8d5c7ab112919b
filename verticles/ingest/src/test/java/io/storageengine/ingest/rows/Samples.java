package io.storageengine.ingest.rows;

import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;

/// Types by the names that tables of cases use.
final class Samples {
    private Samples() {}

    static Type type(String name) {
        return switch (name) {
            case "timestamp" -> Types.TimestampType.withoutZone();
            case "timestamptz" -> Types.TimestampType.withZone();
            case "timestamp_ns" -> Types.TimestampNanoType.withoutZone();
            case "timestamptz_ns" -> Types.TimestampNanoType.withZone();
            case "variant" -> Types.VariantType.get();
            default -> Types.fromPrimitiveString(name);
        };
    }
}
