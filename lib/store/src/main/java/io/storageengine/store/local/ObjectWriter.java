package io.storageengine.store.local;

import io.storageengine.core.store.Content;
import io.storageengine.core.store.ObjectInfo;
import io.storageengine.core.store.PutOptions;
import io.storageengine.store.ContentException;
import io.storageengine.store.PartRules;
import io.storageengine.store.WholeStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/// Writes one object into a temporary file and makes it durable there.
final class ObjectWriter implements AutoCloseable {
    private static final int CHUNK_BYTES = 256 << 10;
    private final FileChannel channel;
    private final CRC32C crc = new CRC32C();
    private final @Nullable MessageDigest md5;
    private long length;

    private ObjectWriter(Path file, boolean needsMd5) throws IOException {
        this.md5 = needsMd5 ? PartRules.md5() : null;
        this.channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    }

    /// Writes a new file.
    ///
    /// @param tag the entity tag where the options do not ask for the body's MD5
    /// @throws ContentException when the content does not come whole
    static ObjectInfo write(Path file, String key, Content content, PutOptions options, String tag, Instant now)
            throws IOException {
        boolean needsMd5 = options.etag() == PutOptions.Etag.MD5;
        try (ObjectWriter writer = new ObjectWriter(file, needsMd5)) {
            writer.body(content);
            return writer.finish(key, options, tag, now);
        }
    }

    private void body(Content content) throws IOException {
        switch (content) {
            case Content.Memory memory -> {
                for (ByteBuffer part : memory.parts()) append(part.duplicate());
            }
            case Content.Stream stream -> {
                WholeStream whole = WholeStream.of(stream);
                byte[] chunk = new byte[Math.clamp(stream.length(), 1, CHUNK_BYTES)];
                for (int got = whole.read(chunk); got >= 0; got = whole.read(chunk)) {
                    append(ByteBuffer.wrap(chunk, 0, got));
                }
            }
        }
    }

    private void append(ByteBuffer bytes) throws IOException {
        length += bytes.remaining();
        crc.update(bytes.duplicate());
        if (md5 != null) md5.update(bytes.duplicate());
        while (bytes.hasRemaining()) channel.write(bytes);
    }

    private ObjectInfo finish(String key, PutOptions options, String tag, Instant now) throws IOException {
        Map<String, String> metadata = new HashMap<>(options.metadata());
        metadata.putAll(options.lateMetadata().get());
        String etag = md5 == null ? tag : HexFormat.of().formatHex(md5.digest());
        ObjectInfo info = new ObjectInfo(key, length, etag, now, options.contentType(), metadata);
        ByteBuffer tail = new ObjectFile(info, (int) crc.getValue()).tail();
        if (tail.remaining() > ObjectFile.FOOTER_BYTES_MAX) throw ContentException.metadataTooLarge();
        while (tail.hasRemaining()) channel.write(tail);
        channel.force(false);
        return info;
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
