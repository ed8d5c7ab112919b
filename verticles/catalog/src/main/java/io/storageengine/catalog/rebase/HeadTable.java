package io.storageengine.catalog.rebase;

import org.apache.iceberg.LocationProviders;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableOperations;
import org.apache.iceberg.TableProperties;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.io.LocationProvider;
import org.apache.iceberg.util.LocationUtil;

/// A table standing still at its head: lets Iceberg's own code write the manifest list of a given snapshot.
///
/// @param newSnapshotId of that snapshot
record HeadTable(TableMetadata current, FileIO io, long newSnapshotId) implements TableOperations {
    @Override
    public TableMetadata refresh() {
        return current;
    }

    @Override
    public void commit(TableMetadata base, TableMetadata metadata) {
        throw new UnsupportedOperationException("the catalog's log commits");
    }

    @Override
    public String metadataFileLocation(String name) {
        String path = current.properties().get(TableProperties.WRITE_METADATA_LOCATION);
        return (path == null ? current.location() + "/metadata" : LocationUtil.stripTrailingSlash(path)) + "/" + name;
    }

    @Override
    public LocationProvider locationProvider() {
        return LocationProviders.locationsFor(current.location(), current.properties());
    }
}
