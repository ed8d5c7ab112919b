package io.storageengine.catalog.rest;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.storageengine.core.message.CatalogReply;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.zip.GZIPOutputStream;

/// Answers to loads as they are sent to clients that take gzip: packed once for each state of a table, in a
/// cache that is bounded by bytes.
public final class PackedTables {
    /// Shorter answers are sent as they are: packing them would cost more time than it saves.
    static final int BYTES_MIN = 8 << 10;

    private static final String SUFFIX = "-gzip\"";
    private final Cache<String, byte[]> cache;

    /// @param cacheBytesMax how much memory packed answers may take
    public PackedTables(long cacheBytesMax) {
        this.cache = Caffeine.newBuilder()
                .maximumWeight(cacheBytesMax)
                .weigher((String tag, byte[] packed) -> packed.length + 2 * tag.length())
                .executor(Runnable::run)
                .build();
    }

    /// The tag of a packed answer: a strong one tells codings apart (RFC 9110, 8.8.3.3).
    ///
    /// @param tag of the answer as it is, in quotes
    static String tag(String tag) {
        return tag.substring(0, tag.length() - 1) + SUFFIX;
    }

    /// Whether a client takes gzip (RFC 9110, 12.5.3).
    static boolean takes(Call call) {
        for (String one : call.headers().getOrDefault("accept-encoding", "").split(",", -1)) {
            String[] parts = one.strip().split(";", 2);
            if (parts[0].strip().equalsIgnoreCase("gzip"))
                return parts.length == 1 || !parts[1].replace(" ", "").matches("q=0(\\.0*)?");
        }
        return false;
    }

    /// The answer of that tag, when it was packed before.
    Optional<CatalogReply> find(String tag) {
        return Optional.ofNullable(cache.getIfPresent(tag)).map(packed -> reply(tag, packed));
    }

    /// An answer for a client that takes gzip: itself when it is short.
    ///
    /// @param tag of the packed answer
    CatalogReply packed(String tag, CatalogReply plain) {
        if (plain.body().remaining() < BYTES_MIN) return plain;
        byte[] packed = gzip(plain.body());
        cache.put(tag, packed);
        return reply(tag, packed);
    }

    private static CatalogReply reply(String tag, byte[] packed) {
        Map<String, String> headers = new HashMap<>();
        headers.put("content-type", "application/json");
        headers.put("content-encoding", "gzip");
        headers.put("vary", "accept-encoding");
        headers.put("etag", tag);
        return new CatalogReply(200, headers, ByteBuffer.wrap(packed).asReadOnlyBuffer());
    }

    private static byte[] gzip(ByteBuffer body) {
        byte[] bytes = new byte[body.remaining()];
        body.duplicate().get(bytes);
        ByteArrayOutputStream packed = new ByteArrayOutputStream(bytes.length / 4);
        try (OutputStream zip = new GZIPOutputStream(packed)) {
            zip.write(bytes);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return packed.toByteArray();
    }
}
