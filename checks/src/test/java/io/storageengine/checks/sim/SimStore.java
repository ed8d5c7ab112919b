package io.storageengine.checks.sim;

import io.storageengine.core.Done;
import io.storageengine.core.Failure;
import io.storageengine.core.Outcome;
import io.storageengine.core.store.ByteRange;
import io.storageengine.core.store.Content;
import io.storageengine.core.store.DeleteFault;
import io.storageengine.core.store.ListPage;
import io.storageengine.core.store.ListRequest;
import io.storageengine.core.store.ObjectBody;
import io.storageengine.core.store.ObjectInfo;
import io.storageengine.core.store.ObjectStore;
import io.storageengine.core.store.Precondition;
import io.storageengine.core.store.PutOptions;
import io.storageengine.core.store.UploadInfo;
import io.storageengine.core.store.UploadedPart;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.Supplier;

/// One process's way to the simulated store: every call hands the baton back on the way there and on the way
/// back, and the world's faults decide what becomes of it.
public class SimStore implements ObjectStore {
    private static final long TIMEOUT_MILLIS = 400;

    private final SimDisk disk;
    private final SimProcess process;
    private final World world;
    private final long retentionMillis;

    /// @param retentionMillis naps and late effects last up to three times as long
    public SimStore(SimDisk disk, SimProcess process, long retentionMillis) {
        this.disk = disk;
        this.process = process;
        this.world = process.world();
        this.retentionMillis = retentionMillis;
    }

    private <T> Outcome<T> read(String what, Supplier<Outcome<T>> effect) {
        travel();
        Faults faults = world.faults();
        if (world.chance(faults.loseRequest()) || world.chance(faults.refuse())) {
            return answer(what, Outcome.failed(Failure.Kind.UNAVAILABLE, "no answer"));
        }
        return answer(what, effect.get());
    }

    private <T> Outcome<T> write(String what, Supplier<Outcome<T>> effect) {
        travel();
        Faults faults = world.faults();
        if (world.chance(faults.loseRequest())) return timeOut(what + " lost");
        if (world.chance(faults.delay())) {
            world.later(lateNanos(), () -> world.say(what + " lands late: " + told(effect.get())));
            return timeOut(what + " delayed");
        }
        if (world.chance(faults.refuse())) {
            return answer(what, Outcome.failed(Failure.Kind.THROTTLED, "SlowDown", "busy"));
        }
        Outcome<T> outcome = effect.get();
        if (world.chance(faults.ownRetry())) outcome = effect.get();
        if (world.chance(faults.loseAnswer())) return timeOut(what + " " + told(outcome) + ", answer lost");
        return answer(what, outcome);
    }

    private <T> Outcome<T> timeOut(String what) {
        world.say(process.name() + " " + what);
        world.pause(TIMEOUT_MILLIS * World.MILLI);
        travel();
        return Outcome.failed(Failure.Kind.UNKNOWN, "no answer in time");
    }

    private <T> Outcome<T> answer(String what, Outcome<T> outcome) {
        world.say(process.name() + " " + what + " " + told(outcome));
        travel();
        return outcome;
    }

    private static String told(Outcome<?> outcome) {
        return switch (outcome) {
            case Outcome.Ok<?> ok -> "ok";
            case Outcome.Failed<?>(Failure failure) -> failure.code();
        };
    }

    /// Half of a round trip; the process may die or fall asleep on it.
    private void travel() {
        if (world.chance(world.faults().crash())) {
            process.kill();
            throw new Crash();
        }
        if (world.chance(world.faults().nap()))
            process.nap(lateNanos(), world.random().nextBoolean());
        world.pause((1 + world.random().nextLong(20_000)) * 1_000);
    }

    private long lateNanos() {
        boolean soon = world.random().nextBoolean();
        return (1 + world.random().nextLong(soon ? 2_000 : 3 * retentionMillis)) * World.MILLI;
    }

    @Override
    public Outcome<ObjectInfo> put(String key, Content content, PutOptions options) {
        ByteBuffer bytes = ByteBuffer.wrap(all(content));
        Precondition precondition = options.precondition();
        if (!(precondition instanceof Precondition.None)
                && world.chance(world.faults().race())) {
            return read(
                    "PUT " + key,
                    () -> Outcome.failed(Failure.Kind.CONFLICT, "ConditionalRequestConflict", "a race is in flight"));
        }
        return write("PUT " + key, () -> disk.put(key, bytes, precondition));
    }

    private static byte[] all(Content content) {
        try {
            return content.open().readAllBytes();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public Outcome<ObjectInfo> head(String key) {
        return read("HEAD " + key, () -> disk.held(key).map(SimDisk.Held::info));
    }

    @Override
    public Outcome<ByteBuffer> read(String key) {
        return read("GET " + key, () -> disk.held(key).map(held -> held.bytes().duplicate()));
    }

    @Override
    public Outcome<ObjectBody> get(String key, ByteRange range) {
        return read("GET " + key, () -> disk.held(key).map(held -> body(held, range)));
    }

    private static ObjectBody body(SimDisk.Held held, ByteRange range) {
        int size = held.bytes().remaining();
        int first = switch (range) {
            case ByteRange.From(long from) -> (int) from;
            case ByteRange.Between(long from, long last) -> (int) from;
            case ByteRange.Suffix(long length) -> (int) Math.max(0, size - length);
        };
        int end = range instanceof ByteRange.Between(long from, long last) ? (int) Math.min(size, last + 1) : size;
        byte[] part = new byte[end - first];
        held.bytes().get(held.bytes().position() + first, part);
        return new ObjectBody(held.info(), first, part.length, new ByteArrayInputStream(part));
    }

    @Override
    public Outcome<Done> delete(String key) {
        return deleteAll(List.of(key)).map(ignored -> Done.DONE);
    }

    @Override
    public Outcome<List<DeleteFault>> deleteAll(List<String> keys) {
        List<String> doomed = List.copyOf(keys);
        return write("DELETE " + doomed, () -> {
            doomed.forEach(disk.objects()::remove);
            return Outcome.ok(List.of());
        });
    }

    @Override
    public Outcome<ListPage> list(ListRequest request) {
        return read("LIST " + request.prefix(), () -> Outcome.ok(page(request)));
    }

    private ListPage page(ListRequest request) {
        if (!request.delimiter().isEmpty()) throw new AssertionError("no delimiters are simulated yet");
        List<ObjectInfo> found = disk.objects().tailMap(request.after(), false).values().stream()
                .map(SimDisk.Held::info)
                .filter(info -> info.key().startsWith(request.prefix()))
                .limit(request.max() + 1L)
                .toList();
        boolean more = found.size() > request.max();
        List<ObjectInfo> page = more ? found.subList(0, request.max()) : found;
        return new ListPage(page, List.of(), more ? page.getLast().key() : "");
    }

    @Override
    public Outcome<String> createUpload(String key, PutOptions options) {
        return notSimulated();
    }

    @Override
    public Outcome<UploadedPart> uploadPart(String key, String uploadId, int number, Content content) {
        return notSimulated();
    }

    @Override
    public Outcome<ObjectInfo> completeUpload(
            String key, String uploadId, List<UploadedPart> parts, Precondition precondition) {
        return notSimulated();
    }

    @Override
    public Outcome<Done> abortUpload(String key, String uploadId) {
        return notSimulated();
    }

    @Override
    public Outcome<List<UploadedPart>> listParts(String key, String uploadId, int afterNumber, int max) {
        return notSimulated();
    }

    @Override
    public Outcome<List<UploadInfo>> listUploads(String prefix, String afterKey, String afterUploadId, int max) {
        return notSimulated();
    }

    private static <T> Outcome<T> notSimulated() {
        return Outcome.failed(Failure.Kind.BUG, "uploads in parts are not simulated yet");
    }

    @Override
    public void close() {}
}
