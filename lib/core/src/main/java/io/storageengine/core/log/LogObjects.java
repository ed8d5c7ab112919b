package io.storageengine.core.log;

import io.storageengine.core.Done;
import io.storageengine.core.Failure;
import io.storageengine.core.Outcome;
import io.storageengine.core.store.ByteRange;
import io.storageengine.core.store.Content;
import io.storageengine.core.store.ListPage;
import io.storageengine.core.store.ListRequest;
import io.storageengine.core.store.ObjectBody;
import io.storageengine.core.store.ObjectInfo;
import io.storageengine.core.store.ObjectStore;
import io.storageengine.core.store.Precondition;
import io.storageengine.core.store.PutOptions;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;

/// The objects of one log by name: `log/{20 digits}`, `checkpoint/{20 digits}`, `boundary`. Each call is one
/// request, a listing one per page.
final class LogObjects {
    private static final int DIGITS = 20;
    private final ObjectStore store;
    private final String prefix;

    LogObjects(ObjectStore store, String prefix) {
        if (!prefix.isEmpty() && !prefix.endsWith("/")) throw new IllegalArgumentException("a prefix ends in /");
        this.store = store;
        this.prefix = prefix;
    }

    Outcome<Stored> entry(long position) {
        return read(entryKey(position), position);
    }

    Outcome<Stored> checkpoint(long position) {
        return read(checkpointKey(position), position);
    }

    /// An entry's header alone.
    Outcome<Header> peek(long position) {
        String key = entryKey(position);
        return store.get(key, new ByteRange.Between(0, Header.BYTES_MAX - 1))
                .then(body -> bytes(key, body))
                .then(bytes -> named(key, Header.decode(bytes)))
                .then(header -> placed(key, header, position));
    }

    Outcome<Boundary> boundary() {
        String key = prefix + "boundary";
        return switch (store.get(key, ByteRange.ALL)) {
            case Outcome.Ok<ObjectBody>(ObjectBody body) ->
                bytes(key, body)
                        .then(bytes -> named(key, Header.decode(bytes)))
                        .map(header -> new Boundary(
                                header.position(),
                                body.info().etag(),
                                body.info().lastModified().toEpochMilli()));
            case Outcome.Failed<ObjectBody>(Failure failure) ->
                isAbsent(failure) ? Outcome.ok(Boundary.NONE) : Outcome.failed(failure);
        };
    }

    Outcome<ObjectInfo> createEntry(Header header, ByteBuffer payload) {
        return put(entryKey(header.position()), header, payload, new Precondition.IfAbsent());
    }

    Outcome<ObjectInfo> createCheckpoint(Header header, ByteBuffer state) {
        return put(checkpointKey(header.position()), header, state, new Precondition.IfAbsent());
    }

    /// Moves the boundary when it is still the one given.
    Outcome<ObjectInfo> moveBoundary(Boundary from, Header header) {
        Precondition same = from.isAbsent() ? new Precondition.IfAbsent() : new Precondition.IfMatch(from.etag());
        return put(prefix + "boundary", header, ByteBuffer.allocate(0), same);
    }

    /// The positions of all checkpoints, ascending.
    Outcome<List<Long>> checkpoints() {
        String folder = prefix + "checkpoint/";
        List<Long> found = new ArrayList<>();
        String after = "";
        while (true) {
            Outcome<ListPage> page = store.list(ListRequest.of(folder).after(after));
            if (!(page instanceof Outcome.Ok<ListPage>(ListPage listed))) return page.map(ignored -> List.of());
            listed.objects().forEach(object -> number(folder, object.key()).ifPresent(found::add));
            if (listed.isLast()) return Outcome.ok(found);
            after = listed.next();
        }
    }

    /// Whether any entry is there.
    Outcome<Boolean> hasEntries() {
        return store.list(ListRequest.of(prefix + "log/"))
                .map(page -> !page.objects().isEmpty());
    }

    Outcome<Done> deleteCheckpoints(List<Long> positions) {
        return deleteAll(positions.stream().map(this::checkpointKey).toList());
    }

    /// Deletes every entry below a position, one page of the listing after the other.
    Outcome<Done> deleteEntriesBelow(long below) {
        String folder = prefix + "log/";
        String after = "";
        while (true) {
            Outcome<ListPage> page = store.list(ListRequest.of(folder).after(after));
            if (!(page instanceof Outcome.Ok<ListPage>(ListPage listed))) return page.map(ignored -> Done.DONE);
            List<String> doomed = listed.objects().stream()
                    .map(ObjectInfo::key)
                    .filter(key -> number(folder, key).orElse(below) < below)
                    .toList();
            Outcome<Done> deleted = deleteAll(doomed);
            if (!deleted.isOk()
                    || listed.isLast()
                    || doomed.size() < listed.objects().size()) return deleted;
            after = listed.next();
        }
    }

    /// True when a read failed because there is no such object.
    static boolean isAbsent(Failure failure) {
        return failure.kind() == Failure.Kind.NOT_FOUND && failure.code().equals("NoSuchKey");
    }

    String entryKey(long position) {
        return prefix + "log/" + digits(position);
    }

    private String checkpointKey(long position) {
        return prefix + "checkpoint/" + digits(position);
    }

    private static String digits(long position) {
        return String.format(Locale.ROOT, "%0" + DIGITS + "d", position);
    }

    private static OptionalLong number(String folder, String key) {
        String name = key.substring(folder.length());
        boolean ours = name.length() == DIGITS && name.chars().allMatch(c -> c >= '0' && c <= '9');
        return ours ? OptionalLong.of(Long.parseLong(name)) : OptionalLong.empty();
    }

    private Outcome<ObjectInfo> put(String key, Header header, ByteBuffer payload, Precondition precondition) {
        Content content = new Content.Memory(List.of(header.encode(), payload));
        return store.put(key, content, PutOptions.PLAIN.with(precondition));
    }

    private Outcome<Stored> read(String key, long position) {
        return store.read(key)
                .then(bytes -> named(key, stored(bytes.duplicate())))
                .then(stored -> placed(key, stored.header(), position).map(ignored -> stored));
    }

    private static Outcome<Stored> stored(ByteBuffer bytes) {
        return Header.decode(bytes).then(header -> header.payload(bytes).map(payload -> new Stored(header, payload)));
    }

    private static Outcome<Header> placed(String key, Header header, long position) {
        if (header.position() == position) return Outcome.ok(header);
        return Outcome.failed(Failure.Kind.CORRUPT, "object " + key + " says that it is number " + header.position());
    }

    private static <T> Outcome<T> named(String key, Outcome<T> outcome) {
        if (!(outcome instanceof Outcome.Failed<T>(Failure failure))) return outcome;
        return Outcome.failed(failure.kind(), "object " + key + " is damaged: " + failure.message());
    }

    private static Outcome<ByteBuffer> bytes(String key, ObjectBody body) {
        try (body) {
            return Outcome.ok(ByteBuffer.wrap(body.stream().readAllBytes()));
        } catch (IOException e) {
            return Outcome.failed(Failure.Kind.UNAVAILABLE, "reading " + key + " broke off: " + e.getMessage());
        }
    }

    private Outcome<Done> deleteAll(List<String> keys) {
        if (keys.isEmpty()) return Outcome.done();
        return store.deleteAll(keys)
                .then(faults -> faults.isEmpty()
                        ? Outcome.done()
                        : Outcome.failed(faults.getFirst().failure()));
    }
}
