package io.storageengine.catalog;

import io.storageengine.catalog.registry.ClusterPlace;
import java.util.Map;

/// How the catalog room behaves; read once at start.
///
/// @param exclusive true when this process alone writes to the storage (`dev` holds its lock): then reads cost
///     no look at a log's tip, and registrations are remembered
/// @param writer the id of this process, written into logs
/// @param tableConfig what a loaded native table's `config` says: how engines reach the S3 API and with which
///     keys; holds secrets
/// @param bodyBytesMax the longest request body that is taken, at least 16 MiB
/// @param cacheBytesMax memory for parsed table metadata, about; views and packed answers take an eighth of
///     it more each
/// @param checkpointEvery entries of a catalog's log between two checkpoints
/// @param registrationMillis how long a registration is remembered where others may change it
/// @param privateUpstreams whether `rest` catalogs may lie at loopback and private addresses
/// @param upstreamTimeoutMillis the longest wait for an upstream's answer
/// @param cluster where cluster storage lies, for no warehouse to lie there
/// @param replacesForeignLocations put tables at their default place where a client asks for a location that is
///     not `s3://`, instead of refusing it; for Iceberg's compatibility kit
public record CatalogOptions(
        boolean exclusive,
        String writer,
        Map<String, String> tableConfig,
        long bodyBytesMax,
        long cacheBytesMax,
        int checkpointEvery,
        long registrationMillis,
        boolean privateUpstreams,
        long upstreamTimeoutMillis,
        ClusterPlace cluster,
        boolean replacesForeignLocations) {
    /// The shortest body limit that clients can live with.
    public static final long BODY_BYTES_LEAST = 16L << 20;

    public CatalogOptions {
        tableConfig = Map.copyOf(tableConfig);
        if (bodyBytesMax < BODY_BYTES_LEAST) throw new IllegalArgumentException("bodies of 16 MiB must be taken");
        if (cacheBytesMax < 0 || checkpointEvery < 1 || registrationMillis < 0 || upstreamTimeoutMillis < 1) {
            throw new IllegalArgumentException("a limit is negative or nothing");
        }
    }

    /// With cluster storage outside of the buckets.
    public CatalogOptions(
            boolean exclusive,
            String writer,
            Map<String, String> tableConfig,
            long bodyBytesMax,
            long cacheBytesMax,
            int checkpointEvery,
            long registrationMillis,
            boolean privateUpstreams,
            long upstreamTimeoutMillis,
            boolean replacesForeignLocations) {
        this(
                exclusive,
                writer,
                tableConfig,
                bodyBytesMax,
                cacheBytesMax,
                checkpointEvery,
                registrationMillis,
                privateUpstreams,
                upstreamTimeoutMillis,
                ClusterPlace.ELSEWHERE,
                replacesForeignLocations);
    }

    /// What a single node at home does: it is alone, and may call its own network.
    public static CatalogOptions dev(String writer, Map<String, String> tableConfig) {
        return new CatalogOptions(true, writer, tableConfig, 64L << 20, 128L << 20, 200, 5_000, true, 30_000, false);
    }

    /// What one of several nodes does.
    public static CatalogOptions serve(String writer, Map<String, String> tableConfig) {
        return new CatalogOptions(false, writer, tableConfig, 64L << 20, 256L << 20, 200, 5_000, false, 30_000, false);
    }

    /// The same with cluster storage there.
    public CatalogOptions with(ClusterPlace where) {
        return with(where, replacesForeignLocations);
    }

    /// These, but for what becomes of a location that is not `s3://`.
    public CatalogOptions replacingForeignLocations(boolean replaces) {
        return with(cluster, replaces);
    }

    private CatalogOptions with(ClusterPlace where, boolean replaces) {
        return new CatalogOptions(
                exclusive,
                writer,
                tableConfig,
                bodyBytesMax,
                cacheBytesMax,
                checkpointEvery,
                registrationMillis,
                privateUpstreams,
                upstreamTimeoutMillis,
                where,
                replaces);
    }

    @Override
    public String toString() {
        return "CatalogOptions[exclusive=" + exclusive + ", writer=" + writer + ", tableConfig of "
                + tableConfig.size() + ", bodyBytesMax=" + bodyBytesMax + ", cacheBytesMax=" + cacheBytesMax
                + ", checkpointEvery=" + checkpointEvery + ", registrationMillis=" + registrationMillis
                + ", privateUpstreams=" + privateUpstreams + ", upstreamTimeoutMillis=" + upstreamTimeoutMillis
                + ", cluster=" + cluster + ", replacesForeignLocations=" + replacesForeignLocations + "]";
    }
}
