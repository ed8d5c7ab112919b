package io.storageengine.core.log;

import io.storageengine.core.Failure;
import io.storageengine.core.Outcome;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;

/// What stands before the payload in every object of a log. Big-endian:
///
///     0 magic "SEOL" · 4 version · 5 kind · 6 writer's length (u16) · 8 position · 16 epoch · 24 nonce
///     32 wall clock · 40 payload's length · 44 payload's CRC32C · 48 CRC32C of bytes 0 to 47 and the writer
///     52 writer (UTF-8) · payload
///
/// @param nonce drawn anew for each entry: with the writer it tells one's own write from another's
record Header(
        Kind kind,
        long position,
        long epoch,
        long nonce,
        long wallMillis,
        String writer,
        int payloadLength,
        int payloadCrc) {
    static final int WRITER_BYTES_MAX = 200;
    private static final int FIXED = 52;
    /// A header is never longer.
    static final int BYTES_MAX = FIXED + WRITER_BYTES_MAX;

    private static final int MAGIC = 0x53454f4c;
    private static final byte VERSION = 1;
    private static final int CHECKED = 48;

    static Header of(
            Kind kind, long position, long epoch, long nonce, long wallMillis, String writer, ByteBuffer body) {
        return new Header(kind, position, epoch, nonce, wallMillis, writer, body.remaining(), crcOf(body));
    }

    boolean sameWrite(Header other) {
        return nonce == other.nonce && writer.equals(other.writer);
    }

    ByteBuffer encode() {
        byte[] name = writer.getBytes(StandardCharsets.UTF_8);
        ByteBuffer out = ByteBuffer.allocate(FIXED + name.length);
        out.putInt(MAGIC).put(VERSION).put(kind.code).putShort((short) name.length);
        out.putLong(position).putLong(epoch).putLong(nonce).putLong(wallMillis);
        out.putInt(payloadLength).putInt(payloadCrc).putInt(0).put(name).flip();
        return out.putInt(CHECKED, ownCrc(out, name.length));
    }

    /// Reads a header at the buffer's position and moves the position to the payload.
    static Outcome<Header> decode(ByteBuffer bytes) {
        if (bytes.remaining() < FIXED) return corrupt("it ends within its header");
        ByteBuffer all = bytes.slice();
        int magic = bytes.getInt();
        byte version = bytes.get();
        byte kind = bytes.get();
        int length = bytes.getShort();
        if (magic != MAGIC) return corrupt("it does not begin as an object of a log does");
        if (version != VERSION)
            return corrupt("its format " + version + " is not known here: is this program too old?");
        if (length < 0 || length > WRITER_BYTES_MAX || all.remaining() < FIXED + length) {
            return corrupt("it ends within its header");
        }
        if (all.getInt(CHECKED) != ownCrc(all, length)) return corrupt("the checksum of its header is wrong");
        for (Kind known : Kind.values()) {
            if (known.code == kind) return Outcome.ok(fields(known, bytes, length));
        }
        return corrupt("it is of no known kind");
    }

    private static Header fields(Kind kind, ByteBuffer in, int length) {
        long position = in.getLong();
        long epoch = in.getLong();
        long nonce = in.getLong();
        long wallMillis = in.getLong();
        int payloadLength = in.getInt();
        int payloadCrc = in.getInt();
        in.getInt();
        byte[] name = new byte[length];
        in.get(name);
        String writer = new String(name, StandardCharsets.UTF_8);
        return new Header(kind, position, epoch, nonce, wallMillis, writer, payloadLength, payloadCrc);
    }

    /// The payload that follows a decoded header, checked.
    Outcome<ByteBuffer> payload(ByteBuffer rest) {
        if (rest.remaining() != payloadLength) {
            return corrupt("its payload has " + rest.remaining() + " bytes instead of " + payloadLength);
        }
        if (crcOf(rest) != payloadCrc) return corrupt("the checksum of its payload is wrong");
        return Outcome.ok(rest.slice().asReadOnlyBuffer());
    }

    private static int ownCrc(ByteBuffer all, int nameLength) {
        CRC32C crc = new CRC32C();
        crc.update(all.slice(0, CHECKED));
        crc.update(all.slice(FIXED, nameLength));
        return (int) crc.getValue();
    }

    private static int crcOf(ByteBuffer bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes.duplicate());
        return (int) crc.getValue();
    }

    private static <T> Outcome<T> corrupt(String why) {
        return Outcome.failed(Failure.Kind.CORRUPT, why);
    }

    /// Which object it is.
    enum Kind {
        DATA(1),
        SEAL(2),
        CHECKPOINT(3),
        BOUNDARY(4);

        private final byte code;

        Kind(int code) {
            this.code = (byte) code;
        }
    }
}
