package io.storageengine.store;

import io.storageengine.core.Failure;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/// Object keys as S3 has them: 1 to 1,024 bytes of UTF-8.
///
/// The *raw* form of a key has one character for each byte of its UTF-8 form, so that the natural order of
/// strings is S3's order, and a character that no key holds (0xFF) ends everything that has a prefix.
public final class Keys {
    public static final int BYTES_MAX = 1_024;

    private Keys() {}

    /// Why a text is no key.
    public static Optional<Failure> fault(String key) {
        if (key.isEmpty()) return invalid("InvalidArgument", "a key has at least one character");
        try {
            ByteBuffer bytes = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(key));
            if (bytes.remaining() <= BYTES_MAX) return Optional.empty();
            return invalid("KeyTooLongError", "a key has at most 1,024 bytes of UTF-8, not " + bytes.remaining());
        } catch (CharacterCodingException e) {
            return invalid("InvalidArgument", "a key is text in Unicode; this one has half of a surrogate pair");
        }
    }

    public static String raw(String text) {
        return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
    }

    public static String text(String raw) {
        return new String(raw.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
    }

    private static Optional<Failure> invalid(String code, String message) {
        return Optional.of(new Failure(Failure.Kind.INVALID, code, message));
    }
}
