package io.storageengine.gateway.s3;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Optional;

/// Moments as S3 writes them.
final class Times {
    private static final DateTimeFormatter ISO = DateTimeFormatter.ofPattern(
                    "yyyy-MM-dd'T'HH:mm:ss.SSS'Z'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);
    private static final DateTimeFormatter HTTP = DateTimeFormatter.ofPattern(
                    "EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ENGLISH)
            .withZone(ZoneOffset.UTC);

    private Times() {}

    /// For XML.
    static String iso(Instant moment) {
        return ISO.format(moment);
    }

    /// For headers (RFC 9110, section 5.6.7), whole seconds.
    static String http(Instant moment) {
        return HTTP.format(moment);
    }

    /// Empty when it is no HTTP date; such conditions are ignored.
    static Optional<Instant> parse(String text) {
        try {
            return Optional.of(DateTimeFormatter.RFC_1123_DATE_TIME.parse(text, Instant::from));
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }
}
