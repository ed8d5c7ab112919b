package io.storageengine.store.local;

import io.storageengine.core.store.ObjectInfo;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.zip.CRC32C;

/// The form of an object on disk: the body from offset 0, then a footer with what is known of it, then a trailer
/// of 24 bytes: body length (8), footer length (4), CRC-32C of the footer (4), magic (8), all big-endian.
///
/// @param info what is known of the object
/// @param bodyCrc32c checksum of the body
record ObjectFile(ObjectInfo info, int bodyCrc32c) {
    static final int FOOTER_BYTES_MAX = 64 << 10;
    private static final long MAGIC = 0x53454f424a454354L; // SEOBJECT
    private static final byte VERSION = 1;
    private static final int TRAILER_BYTES = 24;
    private static final int TAIL_BYTES = 2_048;

    /// Footer and trailer.
    ByteBuffer tail() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeByte(VERSION);
        out.writeInt(bodyCrc32c);
        out.writeLong(info.lastModified().toEpochMilli());
        text(out, info.key());
        text(out, info.etag());
        text(out, info.contentType());
        out.writeInt(info.metadata().size());
        for (Map.Entry<String, String> entry : info.metadata().entrySet()) {
            text(out, entry.getKey());
            text(out, entry.getValue());
        }
        byte[] footer = bytes.toByteArray();
        ByteBuffer tail = ByteBuffer.allocate(footer.length + TRAILER_BYTES).put(footer);
        tail.putLong(info.sizeBytes())
                .putInt(footer.length)
                .putInt(crc32c(footer))
                .putLong(MAGIC);
        return tail.flip();
    }

    static ObjectFile read(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            return read(channel);
        }
    }

    static ObjectFile read(FileChannel channel) throws IOException {
        long size = channel.size();
        ByteBuffer tail = last(channel, size, (int) Math.min(size, TAIL_BYTES));
        if (tail.remaining() < TRAILER_BYTES) throw damaged("it is too short");
        int trailerAt = tail.remaining() - TRAILER_BYTES;
        long bodyLength = tail.getLong(trailerAt);
        int footerLength = tail.getInt(trailerAt + 8);
        if (tail.getLong(trailerAt + 16) != MAGIC) throw damaged("its end is no trailer");
        if (footerLength < 0 || footerLength > FOOTER_BYTES_MAX || bodyLength != size - TRAILER_BYTES - footerLength) {
            throw damaged("its lengths do not add up");
        }
        if (footerLength > trailerAt) tail = last(channel, size, footerLength + TRAILER_BYTES);
        byte[] footer = new byte[footerLength];
        tail.get(tail.remaining() - TRAILER_BYTES - footerLength, footer);
        if (tail.getInt(tail.remaining() - TRAILER_BYTES + 12) != crc32c(footer)) {
            throw damaged("its footer has another checksum");
        }
        return parse(footer, bodyLength);
    }

    private static ObjectFile parse(byte[] footer, long bodyLength) throws IOException {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(footer));
        if (in.readByte() != VERSION) throw damaged("its footer is of a version that this program does not know");
        int crc = in.readInt();
        Instant modified = Instant.ofEpochMilli(in.readLong());
        String key = text(in);
        String etag = text(in);
        String contentType = text(in);
        Map<String, String> metadata = new HashMap<>();
        for (int left = in.readInt(); left > 0; left--) metadata.put(text(in), text(in));
        return new ObjectFile(new ObjectInfo(key, bodyLength, etag, modified, contentType, metadata), crc);
    }

    private static ByteBuffer last(FileChannel channel, long size, int count) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(count);
        while (bytes.hasRemaining()) {
            if (channel.read(bytes, size - count + bytes.position()) < 0) throw damaged("it became shorter");
        }
        return bytes.flip();
    }

    private static void text(DataOutputStream out, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    private static String text(DataInputStream in) throws IOException {
        return new String(in.readNBytes(in.readInt()), StandardCharsets.UTF_8);
    }

    private static int crc32c(byte[] bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes);
        return (int) crc.getValue();
    }

    private static CorruptException damaged(String how) {
        return new CorruptException("a file of the local store is damaged: " + how);
    }
}
