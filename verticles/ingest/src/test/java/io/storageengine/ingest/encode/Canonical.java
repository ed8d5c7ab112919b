package io.storageengine.ingest.encode;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.data.Record;
import org.jspecify.annotations.Nullable;

/// Iceberg's generic values in a form that compares by content.
final class Canonical {
    private Canonical() {}

    static @Nullable Object of(@Nullable Object value) {
        return switch (value) {
            case null -> null;
            case byte[] bytes -> ByteBuffer.wrap(bytes);
            case ByteBuffer bytes -> bytes.duplicate();
            case CharSequence text -> text.toString();
            case Record row -> fields(row);
            case List<?> list -> list(list);
            case Map<?, ?> map -> map(map);
            default -> value;
        };
    }

    private static Object fields(Record row) {
        List<@Nullable Object> values = new java.util.ArrayList<>();
        for (int i = 0; i < row.size(); i++) {
            values.add(of(row.get(i)));
        }
        return values;
    }

    private static Object list(List<?> list) {
        List<@Nullable Object> values = new java.util.ArrayList<>();
        for (Object element : list) {
            values.add(of(element));
        }
        return values;
    }

    private static Object map(Map<?, ?> map) {
        Map<@Nullable Object, @Nullable Object> values = new HashMap<>();
        map.forEach((key, value) -> values.put(of(key), of(value)));
        return values;
    }
}
