package io.storageengine.gateway.s3;

import io.storageengine.gateway.auth.Hashes;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Optional;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;
import java.util.zip.Checksum;

/// The checksums that S3 knows, each with a header `x-amz-checksum-{name}` in base64.
enum ChecksumKind {
    CRC32(4),
    CRC32C(4),
    CRC64NVME(8),
    SHA1(20),
    SHA256(32);

    static final String PREFIX = "x-amz-checksum-";

    private final int bytes;

    ChecksumKind(int bytes) {
        this.bytes = bytes;
    }

    /// A checksum being computed.
    interface Running {
        void update(byte[] bytes, int offset, int length);

        byte[] value();
    }

    Running start() {
        return switch (this) {
            case CRC32 -> sum(new CRC32(), bytes);
            case CRC32C -> sum(new CRC32C(), bytes);
            case CRC64NVME -> sum(new Crc64Nvme(), bytes);
            case SHA1 -> hash("SHA-1");
            case SHA256 -> hash("SHA-256");
        };
    }

    String header() {
        return PREFIX + name().toLowerCase(Locale.ROOT);
    }

    static Optional<ChecksumKind> ofHeader(String header) {
        return Arrays.stream(values())
                .filter(kind -> kind.header().equals(header))
                .findFirst();
    }

    /// The bytes of a header's value in hex; empty when it is no base64 of the right length.
    Optional<String> parse(String base64) {
        try {
            byte[] value = Base64.getDecoder().decode(base64);
            return value.length == bytes ? Optional.of(HexFormat.of().formatHex(value)) : Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static Running sum(Checksum checksum, int bytes) {
        return new Running() {
            @Override
            public void update(byte[] in, int offset, int length) {
                checksum.update(in, offset, length);
            }

            @Override
            public byte[] value() {
                byte[] whole =
                        ByteBuffer.allocate(8).putLong(checksum.getValue()).array();
                return Arrays.copyOfRange(whole, 8 - bytes, 8);
            }
        };
    }

    static Running hash(String algorithm) {
        MessageDigest digest = Hashes.digest(algorithm);
        return new Running() {
            @Override
            public void update(byte[] in, int offset, int length) {
                digest.update(in, offset, length);
            }

            @Override
            public byte[] value() {
                return digest.digest();
            }
        };
    }
}
