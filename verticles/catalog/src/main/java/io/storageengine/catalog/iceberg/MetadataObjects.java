package io.storageengine.catalog.iceberg;

import io.storageengine.core.Failure;
import io.storageengine.core.FailureException;
import io.storageengine.core.Outcome;
import io.storageengine.core.store.Buckets;
import io.storageengine.core.store.Content;
import io.storageengine.core.store.ObjectInfo;
import io.storageengine.core.store.ObjectStore;
import io.storageengine.core.store.PutOptions;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.zip.GZIPInputStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Metadata files of tables and views as objects: written once under a random name, read whole, removed.
///
/// @param buckets where they lie
record MetadataObjects(Buckets buckets) {
    private static final Logger LOG = LoggerFactory.getLogger(MetadataObjects.class);

    /// The JSON of a metadata file, uncompressed. One GET.
    ///
    /// @throws FailureException `NOT_FOUND` (`NotFoundException`) when the file is gone, `CORRUPT`, or what the
    ///     store answered
    byte[] read(String location) {
        Location at = Location.parse(location);
        Outcome<ByteBuffer> read = buckets.bucket(at.bucket()).read(at.key());
        if (read.failedWith(Failure.Kind.NOT_FOUND)) {
            throw new FailureException(
                    new Failure(Failure.Kind.NOT_FOUND, "NotFoundException", "Metadata file is missing: " + location));
        }
        ByteBuffer content = read.orThrow();
        byte[] bytes = new byte[content.remaining()];
        content.duplicate().get(bytes);
        return isZipped(location) ? unzip(location, bytes) : bytes;
    }

    private static boolean isZipped(String location) {
        return location.endsWith(".gz.metadata.json") || location.endsWith(".metadata.json.gz");
    }

    private static byte[] unzip(String location, byte[] bytes) {
        try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(bytes))) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw corrupt(location, e);
        }
    }

    /// The failure that says that a file is not what it should be, and not what is in it: that may be anything.
    static FailureException corrupt(String location, Exception why) {
        LOG.atWarn().addKeyValue("location", location).log("not a metadata file: {}", why.getClass());
        return new FailureException(Failure.Kind.CORRUPT, "Not an Iceberg metadata file: " + location);
    }

    /// Writes a file that was not there, as it is. One PUT.
    void write(String location, byte[] json) {
        Location at = Location.parse(location);
        switch (buckets.bucket(at.bucket()).put(at.key(), Content.of(json), PutOptions.IF_ABSENT)) {
            case Outcome.Ok<ObjectInfo> done -> {}
            case Outcome.Failed<ObjectInfo>(Failure failure) -> {
                switch (failure.kind()) {
                    case CONFLICT -> {
                        // The name is random: what is there is our own first try. Perhaps nothing is there.
                        if (failure.code().equals(ObjectStore.UNDECIDED)) throw notWritten(failure);
                    }
                    case NOT_FOUND -> throw Refusals.bad("There is no bucket " + at.bucket());
                    case UNKNOWN -> throw notWritten(failure);
                    case INVALID, UNAUTHENTICATED, FORBIDDEN, EXISTS, THROTTLED, UNAVAILABLE, CORRUPT, BUG ->
                        throw new FailureException(failure);
                }
            }
        }
    }

    /// Nothing points at the file yet, so nothing has happened.
    private static FailureException notWritten(Failure why) {
        return new FailureException(Failure.Kind.UNAVAILABLE, why.message());
    }

    /// Removes files. Best effort: what stays is an orphan.
    void delete(Collection<String> locations) {
        for (String location : new ArrayList<>(locations)) {
            if (!Location.isS3(location)) continue;
            Location at = Location.parse(location);
            buckets.bucket(at.bucket()).delete(at.key());
        }
    }
}
