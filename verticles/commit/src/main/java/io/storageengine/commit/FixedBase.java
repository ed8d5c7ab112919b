package io.storageengine.commit;

import io.storageengine.core.Ids;
import org.apache.iceberg.LocationProviders;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableOperations;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.io.LocationProvider;

/// A table standing still: lets Iceberg's own code write the manifests of a snapshot on one base. The commit
/// itself goes through the catalog room.
record FixedBase(TableMetadata current, FileIO io, Ids ids) implements TableOperations {
    @Override
    public TableMetadata refresh() {
        return current;
    }

    @Override
    public void commit(TableMetadata base, TableMetadata metadata) {
        throw new UnsupportedOperationException("the catalog room commits");
    }

    @Override
    public String metadataFileLocation(String name) {
        String configured = current.properties().get("write.metadata.path");
        return (configured == null ? current.location() + "/metadata" : configured) + "/" + name;
    }

    @Override
    public LocationProvider locationProvider() {
        return LocationProviders.locationsFor(current.location(), current.properties());
    }

    @Override
    public long newSnapshotId() {
        return ids.positiveLong();
    }
}
