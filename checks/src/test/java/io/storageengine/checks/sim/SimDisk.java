package io.storageengine.checks.sim;

import io.storageengine.core.Failure;
import io.storageengine.core.Outcome;
import io.storageengine.core.store.ObjectInfo;
import io.storageengine.core.store.Precondition;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// What the simulated store holds, and what every key held first.
public final class SimDisk {
    private final World world;
    private final NavigableMap<String, Held> objects = new TreeMap<>();
    private final Map<String, ByteBuffer> firsts = new HashMap<>();
    private long etag;

    public SimDisk(World world) {
        this.world = world;
    }

    record Held(ByteBuffer bytes, ObjectInfo info) {}

    /// The bytes that the key was first created with, also when they are gone.
    public @Nullable ByteBuffer first(String key) {
        ByteBuffer bytes = firsts.get(key);
        return bytes == null ? null : bytes.duplicate();
    }

    NavigableMap<String, Held> objects() {
        return objects;
    }

    Outcome<Held> held(String key) {
        Held held = objects.get(key);
        return held == null ? Outcome.failed(Failure.Kind.NOT_FOUND, "NoSuchKey", key) : Outcome.ok(held);
    }

    Outcome<ObjectInfo> put(String key, ByteBuffer bytes, Precondition precondition) {
        Held held = objects.get(key);
        boolean holds = switch (precondition) {
            case Precondition.None none -> true;
            case Precondition.IfAbsent absent -> held == null;
            case Precondition.IfMatch(String tag) ->
                held != null && held.info.etag().equals(tag);
        };
        if (!holds) return Outcome.failed(Failure.Kind.CONFLICT, "PreconditionFailed", key);
        Instant now = Instant.ofEpochMilli(1_800_000_000_000L + world.millis());
        ObjectInfo info =
                new ObjectInfo(key, bytes.remaining(), "e" + etag++, now, "application/octet-stream", Map.of());
        objects.put(key, new Held(bytes.asReadOnlyBuffer(), info));
        firsts.putIfAbsent(key, bytes.asReadOnlyBuffer());
        return Outcome.ok(info);
    }
}
