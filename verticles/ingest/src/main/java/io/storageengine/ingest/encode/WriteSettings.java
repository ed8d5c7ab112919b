package io.storageengine.ingest.encode;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.apache.iceberg.TableProperties;

/// How a table wants its data files, from its properties.
///
/// Sizes count column memory, before encoding and compression: row groups and files come out smaller than asked
/// for, never larger.
///
/// @param codec `write.parquet.compression-codec`, by default zstd
/// @param level `write.parquet.compression-level`, by default 1 (gzip: 6)
/// @param rowGroupBytes `write.parquet.row-group-size-bytes`
/// @param pageBytes `write.parquet.page-size-bytes`
/// @param pageRows `write.parquet.page-row-limit`
/// @param dictionaryBytes `write.parquet.dict-size-bytes`
/// @param secondPageVersion `write.parquet.page-version` is `v2`
/// @param fileBytes `write.target-file-size-bytes`
record WriteSettings(
        Codec codec,
        int level,
        long rowGroupBytes,
        int pageBytes,
        int pageRows,
        int dictionaryBytes,
        boolean secondPageVersion,
        long fileBytes) {
    /// What parquet-java needs at least; less that is asked for is taken as this.
    private static final int PAGE_BYTES_MIN = 64;

    /// Codecs that are written.
    enum Codec {
        ZSTD,
        GZIP,
        SNAPPY,
        UNCOMPRESSED
    }

    WriteSettings {
        if (rowGroupBytes < 1 || pageBytes < 1 || pageRows < 1 || dictionaryBytes < 1 || fileBytes < 1) {
            throw new IllegalArgumentException("sizes are positive");
        }
    }

    static WriteSettings of(Map<String, String> properties) {
        Codec codec = codec(properties);
        return new WriteSettings(
                codec,
                level(codec, properties),
                number(properties, TableProperties.PARQUET_ROW_GROUP_SIZE_BYTES, 128L << 20, Integer.MAX_VALUE),
                pageBytes(properties, TableProperties.PARQUET_PAGE_SIZE_BYTES, 1 << 20),
                (int) number(properties, TableProperties.PARQUET_PAGE_ROW_LIMIT, 20_000, Integer.MAX_VALUE),
                pageBytes(properties, TableProperties.PARQUET_DICT_SIZE_BYTES, 2 << 20),
                isSecondPageVersion(properties),
                number(properties, TableProperties.WRITE_TARGET_FILE_SIZE_BYTES, 512L << 20, Long.MAX_VALUE));
    }

    /// Why these properties cannot be honoured; empty when they can.
    static Optional<String> refusal(Map<String, String> properties) {
        try {
            of(properties);
            return Optional.empty();
        } catch (IllegalArgumentException wrong) {
            return Optional.of(String.valueOf(wrong.getMessage()));
        }
    }

    private static Codec codec(Map<String, String> properties) {
        String name = properties.getOrDefault(TableProperties.PARQUET_COMPRESSION, "zstd");
        return switch (name.toLowerCase(Locale.ROOT)) {
            case "zstd" -> Codec.ZSTD;
            case "gzip" -> Codec.GZIP;
            case "snappy" -> Codec.SNAPPY;
            case "uncompressed", "none" -> Codec.UNCOMPRESSED;
            default ->
                throw new IllegalArgumentException("table property " + TableProperties.PARQUET_COMPRESSION + "=" + name
                        + ": set it to zstd, snappy, gzip or uncompressed");
        };
    }

    private static int level(Codec codec, Map<String, String> properties) {
        return switch (codec) {
            case ZSTD -> (int) number(properties, TableProperties.PARQUET_COMPRESSION_LEVEL, 1, 22);
            case GZIP -> (int) number(properties, TableProperties.PARQUET_COMPRESSION_LEVEL, 6, 9);
            case SNAPPY, UNCOMPRESSED -> 0;
        };
    }

    private static boolean isSecondPageVersion(Map<String, String> properties) {
        String version = properties.getOrDefault(TableProperties.PARQUET_PAGE_VERSION, "v1");
        if (!version.equalsIgnoreCase("v1") && !version.equalsIgnoreCase("v2")) {
            throw new IllegalArgumentException(
                    "table property " + TableProperties.PARQUET_PAGE_VERSION + "=" + version + ": set it to v1 or v2");
        }
        return version.equalsIgnoreCase("v2");
    }

    private static int pageBytes(Map<String, String> properties, String key, int fallback) {
        return (int) Math.max(PAGE_BYTES_MIN, number(properties, key, fallback, 1 << 30));
    }

    private static long number(Map<String, String> properties, String key, long fallback, long max) {
        String text = properties.get(key);
        if (text == null) {
            return fallback;
        }
        try {
            long value = Long.parseLong(text.strip());
            if (value >= 1 && value <= max) {
                return value;
            }
        } catch (NumberFormatException _) {
            // told below
        }
        throw new IllegalArgumentException("table property " + key + "=" + text + ": set it to 1 to " + max);
    }
}
