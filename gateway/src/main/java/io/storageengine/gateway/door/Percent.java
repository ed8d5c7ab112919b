package io.storageengine.gateway.door;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Optional;

/// Percent-encoding of URIs (RFC 3986, section 2.1) over UTF-8. `+` is itself, never a space.
public final class Percent {
    private static final HexFormat HEX = HexFormat.of().withUpperCase();

    private Percent() {}

    /// The decoded text; empty when an escape is broken or the bytes are not UTF-8.
    public static Optional<String> decode(String raw) {
        if (raw.indexOf('%') < 0 && raw.chars().allMatch(c -> c < 0x80)) return Optional.of(raw);
        byte[] in = raw.getBytes(StandardCharsets.UTF_8);
        ByteBuffer out = ByteBuffer.allocate(in.length);
        for (int i = 0; i < in.length; i++) {
            if (in[i] != '%') {
                out.put(in[i]);
                continue;
            }
            if (i + 2 >= in.length || !HexFormat.isHexDigit(in[i + 1]) || !HexFormat.isHexDigit(in[i + 2])) {
                return Optional.empty();
            }
            out.put((byte) (HexFormat.fromHexDigit(in[i + 1]) << 4 | HexFormat.fromHexDigit(in[i + 2])));
            i += 2;
        }
        return utf8(out.flip());
    }

    private static Optional<String> utf8(ByteBuffer bytes) {
        try {
            return Optional.of(StandardCharsets.UTF_8.newDecoder().decode(bytes).toString());
        } catch (CharacterCodingException e) {
            return Optional.empty();
        }
    }

    /// Encodes all but the unreserved characters, as AWS signatures and S3's `encoding-type=url` want it.
    ///
    /// @param keepSlash whether `/` stays
    public static String encode(String text, boolean keepSlash) {
        StringBuilder out = new StringBuilder(text.length() + 16);
        for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
            char c = (char) (b & 0xff);
            if (isUnreserved(c) || (keepSlash && c == '/')) out.append(c);
            else HEX.toHexDigits(out.append('%'), b);
        }
        return out.toString();
    }

    private static boolean isUnreserved(char c) {
        return (c >= 'a' && c <= 'z')
                || (c >= 'A' && c <= 'Z')
                || (c >= '0' && c <= '9')
                || c == '-'
                || c == '.'
                || c == '_'
                || c == '~';
    }
}
