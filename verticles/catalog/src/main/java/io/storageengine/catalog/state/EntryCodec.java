package io.storageengine.catalog.state;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.storageengine.core.Failure;
import io.storageengine.core.FailureException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;

/// The payload of an entry of the catalog log: JSON, `{"version":1,"wallMillis":…,"changes":[…]}`. Unknown
/// fields and versions are refused: what is not understood must not be dropped in silence.
///
/// | version | what it brought |
/// |---|---|
/// | 1 | namespaces, tables |
/// | 2 | kept replies, views |
/// | 3 | who made a change, names of what is dropped |
/// | 4 | channels |
///
/// An entry says the lowest version that has all of its changes; all versions up to the newest are read.
public final class EntryCodec {
    /// The newest version.
    static final int VERSION = 4;

    private static final int PRINCIPALS_SINCE = 3;

    static final ObjectMapper MAPPER = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            // Whatever text a client sends comes back as it was, half surrogate pairs too.
            .enable(JsonWriteFeature.ESCAPE_NON_ASCII)
            .build();

    private EntryCodec() {}

    /// One entry: the changes of one batch of commands, made at one time.
    ///
    /// @param principals who made each change, empty where nobody was asked; none at all when that is so for
    ///     all
    public record Entry(
            int version,
            long wallMillis,
            List<Change> changes,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) List<String> principals) {
        public Entry {
            changes = List.copyOf(changes);
            // Older versions have none.
            principals = List.copyOf(Objects.requireNonNullElse(principals, List.of()));
        }

        /// Who made the change of that index; empty when that is not known.
        public String principal(int index) {
            return index < principals.size() ? principals.get(index) : "";
        }
    }

    /// @param principals who made each change, empty where nobody was asked
    public static ByteBuffer encode(long wallMillis, List<Change> changes, List<String> principals) {
        try {
            int version = changes.stream().mapToInt(Change::since).max().orElse(1);
            boolean isKnown = principals.stream().anyMatch(who -> !who.isEmpty());
            Entry entry = isKnown
                    ? new Entry(Math.max(version, PRINCIPALS_SINCE), wallMillis, changes, principals)
                    : new Entry(version, wallMillis, changes, List.of());
            return ByteBuffer.wrap(MAPPER.writeValueAsBytes(entry));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// @throws FailureException `CORRUPT` when the payload is not an entry that this version reads
    public static Entry decode(ByteBuffer payload) {
        byte[] bytes = new byte[payload.remaining()];
        payload.duplicate().get(bytes);
        try {
            Entry entry = MAPPER.readValue(bytes, Entry.class);
            checkVersion(entry.version());
            return entry;
        } catch (IOException e) {
            checkVersion(versionOf(bytes));
            throw new FailureException(
                    new Failure(Failure.Kind.CORRUPT, "An entry of the catalog log cannot be read: " + e.getMessage()));
        }
    }

    /// The version of an entry that cannot be read otherwise.
    private static int versionOf(byte[] bytes) {
        try {
            return MAPPER.readTree(bytes).path("version").asInt(VERSION);
        } catch (IOException e) {
            return VERSION;
        }
    }

    static void checkVersion(int version) {
        if (version >= 1 && version <= VERSION) return;
        throw new FailureException(
                Failure.Kind.CORRUPT,
                "The catalog was written by a newer version of this program (format " + version
                        + "); run that version");
    }

    /// The state after an entry.
    public static CatalogState apply(CatalogState state, Entry entry) {
        CatalogState after = state;
        for (Change change : entry.changes()) after = after.apply(change, entry.wallMillis());
        return after;
    }
}
