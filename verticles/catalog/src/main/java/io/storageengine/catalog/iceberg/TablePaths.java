package io.storageengine.catalog.iceberg;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableProperties;
import org.apache.iceberg.util.LocationUtil;
import org.apache.iceberg.view.ViewMetadata;
import org.apache.iceberg.view.ViewProperties;
import org.jspecify.annotations.Nullable;

/// Where a native catalog puts tables and views, and their metadata files.
///
/// @param bucket of the warehouse
/// @param prefix of the warehouse: empty, or ending in `/`
public record TablePaths(String bucket, String prefix) {
    /// Where a catalog's log lies in its warehouse.
    public static final String LOG = Location.RESERVED + "/catalog/";

    /// A name is cut to so many characters in a place.
    public static final int LEVEL_CHARS_MAX = 64;

    /// The place for a new table or view: `s3://{bucket}/{prefix}{levels}/{table}-{8 hex of its uuid}`. What
    /// engines would have to encode is replaced by `_`; the uuid keeps places apart, also of a table that is
    /// dropped and made again.
    public String place(List<String> namespace, String table, UUID uuid) {
        String suffix = uuid.toString().substring(0, 8);
        return "s3://" + bucket + "/" + folder(namespace) + plain(table) + "-" + suffix;
    }

    /// A place as [#place] makes them.
    ///
    /// @param uuidStart the first eight hexadecimal digits of the table's uuid
    public record StagedPlace(Location location, String uuidStart) {}

    /// The place for a new table of that name that an object lies in, if it lies in one.
    public Optional<StagedPlace> stagedPlace(List<String> namespace, String table, Location object) {
        String start = folder(namespace) + plain(table) + "-";
        if (!object.bucket().equals(bucket) || !object.key().startsWith(start)) return Optional.empty();
        String rest = object.key().substring(start.length());
        if (!rest.matches("(?s)[0-9a-f]{8}/.*")) return Optional.empty();
        String uuidStart = rest.substring(0, 8);
        return Optional.of(new StagedPlace(new Location(bucket, start + uuidStart), uuidStart));
    }

    private String folder(List<String> namespace) {
        return prefix + namespace.stream().map(TablePaths::plain).collect(Collectors.joining("/")) + "/";
    }

    private static String plain(String name) {
        String cut = name.length() > LEVEL_CHARS_MAX ? name.substring(0, LEVEL_CHARS_MAX) : name;
        String plain = cut.replaceAll("[^A-Za-z0-9._-]", "_");
        boolean taken = plain.equals(Location.RESERVED) || plain.chars().allMatch(c -> c == '.');
        return taken ? "_" + plain.replace('.', '_') : plain;
    }

    /// The place for a table's next metadata file.
    ///
    /// @param version 0 for the first
    static String metadataFile(TableMetadata metadata, int version, UUID uuid) {
        String folder = metadata.properties().get(TableProperties.WRITE_METADATA_LOCATION);
        return metadataFile(folder, metadata.location(), version, uuid);
    }

    /// The place for a view's next metadata file.
    ///
    /// @param version 0 for the first
    static String metadataFile(ViewMetadata metadata, int version, UUID uuid) {
        String folder = metadata.properties().get(ViewProperties.WRITE_METADATA_LOCATION);
        return metadataFile(folder, LocationUtil.stripTrailingSlash(metadata.location()), version, uuid);
    }

    private static String metadataFile(@Nullable String folder, String location, int version, UUID uuid) {
        String base = folder == null ? location + "/metadata" : LocationUtil.stripTrailingSlash(folder);
        return base + String.format(Locale.ROOT, "/%05d-%s.metadata.json", version, uuid);
    }

    /// The version in a metadata file's name; -1 when there is none.
    public static int version(String location) {
        String name = location.substring(location.lastIndexOf('/') + 1);
        int dash = name.indexOf('-');
        if (dash < 1 || dash > 9) return -1;
        String digits = name.substring(0, dash);
        return digits.chars().allMatch(c -> c >= '0' && c <= '9') ? Integer.parseInt(digits) : -1;
    }
}
