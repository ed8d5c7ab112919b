package io.storageengine.catalog.iceberg;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.apache.iceberg.MetadataUpdate;
import org.apache.iceberg.rest.requests.CreateViewRequest;
import org.apache.iceberg.rest.requests.UpdateTableRequest;
import org.apache.iceberg.view.ImmutableViewVersion;
import org.apache.iceberg.view.SQLViewRepresentation;
import org.apache.iceberg.view.ViewMetadata;
import org.apache.iceberg.view.ViewProperties;
import org.apache.iceberg.view.ViewRepresentation;
import org.apache.iceberg.view.ViewVersion;

/// Turns requests into view metadata, by Iceberg's own builder and with the checks that it leaves to a catalog.
/// Pure but for the library's own clock.
public final class ViewChanges {
    private static final int FIRST_VERSION = 1;

    private ViewChanges() {}

    /// The metadata of a view to be created; its first version has the number 1, whatever the client wrote.
    public static ViewMetadata created(CreateViewRequest request, String location, UUID uuid) {
        return Refusals.ofView(() -> {
            check(request.viewVersion());
            checkMetadataPath(request.properties());
            ViewVersion version = ImmutableViewVersion.builder()
                    .from(request.viewVersion())
                    .versionId(FIRST_VERSION)
                    .build();
            return ViewMetadata.builder()
                    .assignUUID(uuid.toString())
                    .setLocation(location)
                    .setProperties(request.properties())
                    .setCurrentVersion(version, request.schema())
                    .build();
        });
    }

    /// What a commit makes of a view; empty when it changes nothing. An update or requirement that is not for
    /// views is a bad request, a failed `assert-view-uuid` a lost race.
    ///
    /// @param updates those of the request that count
    public static Optional<ViewMetadata> committed(
            ViewMetadata base, UpdateTableRequest request, List<MetadataUpdate> updates) {
        return Refusals.ofView(() -> {
            request.requirements().forEach(requirement -> requirement.validate(base));
            updates.forEach(ViewChanges::check);
            ViewMetadata.Builder builder = ViewMetadata.buildFrom(base);
            updates.forEach(update -> update.applyTo(builder));
            ViewMetadata after = builder.build();
            if (after.changes().isEmpty()) return Optional.empty();
            checkWhole(after);
            return Optional.of(after);
        });
    }

    /// A registered file may hold what the builder never would: versions whose schema is not there, and texts
    /// that the library reads and cannot write.
    private static void checkWhole(ViewMetadata metadata) {
        metadata.currentSchemaId();
        metadata.versions().forEach(ViewChanges::checkKnown);
    }

    private static void check(MetadataUpdate update) {
        switch (update) {
            case MetadataUpdate.AddViewVersion added -> check(added.viewVersion());
            case MetadataUpdate.SetLocation location -> Location.parse(location.location());
            case MetadataUpdate.SetProperties properties -> checkMetadataPath(properties.updated());
            default -> {}
        }
    }

    /// A version without any text is of no use to anybody.
    private static void check(ViewVersion version) {
        if (version.representations().isEmpty()) {
            throw Refusals.bad("Cannot create view without specifying a query");
        }
        checkKnown(version);
    }

    /// Only SQL is known to the library's writer.
    private static void checkKnown(ViewVersion version) {
        List<String> unknown = version.representations().stream()
                .filter(one -> !(one instanceof SQLViewRepresentation))
                .map(ViewRepresentation::type)
                .toList();
        if (!unknown.isEmpty()) throw Refusals.bad("Found unsupported view representations: " + unknown);
    }

    private static void checkMetadataPath(Map<String, String> properties) {
        String path = properties.get(ViewProperties.WRITE_METADATA_LOCATION);
        if (path != null) Location.parse(path);
    }
}
