package io.storageengine.catalog.tables;

import io.storageengine.catalog.iceberg.Location;
import io.storageengine.catalog.iceberg.Refusals;
import io.storageengine.core.store.Buckets;
import java.util.List;
import java.util.Optional;
import org.apache.iceberg.MetadataUpdate;
import org.apache.iceberg.util.LocationUtil;
import org.jspecify.annotations.Nullable;

/// Which locations of tables and views a native catalog takes from clients: `s3://` ones in a bucket of this
/// account.
///
/// @param buckets the account
/// @param replacesForeign true to put a table or view at the default place instead of refusing a location
///     with another scheme; then a later change of it to such a location is ignored (for Iceberg's
///     compatibility kit, which asks for `file:` locations)
public record LocationRule(Buckets buckets, boolean replacesForeign) {
    /// The location that a client wants, when there is one to be taken. One request.
    public Optional<String> accept(@Nullable String wanted) {
        if (wanted == null || wanted.isBlank()) return Optional.empty();
        if (replacesForeign && !Location.isS3(wanted)) return Optional.empty();
        Location location = Location.parse(wanted);
        if (!buckets.head(location.bucket()).isOk()) {
            throw Refusals.bad("Invalid location '" + wanted + "': there is no bucket " + location.bucket());
        }
        return Optional.of(LocationUtil.stripTrailingSlash(wanted));
    }

    /// The updates without those that are to be ignored.
    public List<MetadataUpdate> accepted(List<MetadataUpdate> updates) {
        return replacesForeign
                ? updates.stream().filter(update -> !isForeign(update)).toList()
                : updates;
    }

    private static boolean isForeign(MetadataUpdate update) {
        return update instanceof MetadataUpdate.SetLocation set && !Location.isS3(set.location());
    }
}
