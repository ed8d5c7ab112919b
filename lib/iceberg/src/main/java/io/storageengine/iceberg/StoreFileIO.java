package io.storageengine.iceberg;

import io.storageengine.core.store.Buckets;
import io.storageengine.core.store.DeleteFault;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.io.BulkDeletionFailureException;
import org.apache.iceberg.io.InputFile;
import org.apache.iceberg.io.OutputFile;
import org.apache.iceberg.io.SupportsBulkOperations;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Iceberg's file access over this engine's own storage, for `s3://` locations.
///
/// Thread-safe; calls block as the store's do. Failures come as Iceberg's `NotFoundException` and
/// `AlreadyExistsException`, else as [io.storageengine.core.FailureException]. Closing it leaves the buckets
/// open. It cannot be serialized, although Iceberg's interface says so: it never leaves the process.
public final class StoreFileIO implements SupportsBulkOperations {
    private static final long serialVersionUID = 1L;
    private static final Logger LOG = LoggerFactory.getLogger(StoreFileIO.class);
    private final transient Buckets buckets;

    public StoreFileIO(Buckets buckets) {
        this.buckets = buckets;
    }

    @Override
    public InputFile newInputFile(String path) {
        return new StoreInputFile(buckets, path, -1);
    }

    /// With a length that is known from metadata: spares the request that asks for it.
    @Override
    public InputFile newInputFile(String path, long length) {
        return new StoreInputFile(buckets, path, length);
    }

    @Override
    public OutputFile newOutputFile(String path) {
        return new StoreOutputFile(buckets, path);
    }

    @Override
    public void deleteFile(String path) {
        S3Location at = S3Location.parse(path);
        StoreFailures.orThrow(buckets.bucket(at.bucket()).delete(at.key()), path);
    }

    @Override
    public void deleteFiles(Iterable<String> paths) throws BulkDeletionFailureException {
        Map<String, List<String>> keys = new HashMap<>();
        for (String path : paths) {
            S3Location at = S3Location.parse(path);
            keys.computeIfAbsent(at.bucket(), bucket -> new ArrayList<>()).add(at.key());
        }
        int faults = 0;
        for (Map.Entry<String, List<String>> bucket : keys.entrySet())
            faults += delete(bucket.getKey(), bucket.getValue());
        if (faults > 0) throw new BulkDeletionFailureException(faults);
    }

    private int delete(String bucket, List<String> keys) {
        List<DeleteFault> faults = StoreFailures.orThrow(buckets.bucket(bucket).deleteAll(keys), "s3://" + bucket);
        for (DeleteFault fault : faults)
            LOG.warn(
                    "A file could not be deleted: s3://{}/{}: {}",
                    bucket,
                    fault.key(),
                    fault.failure().code());
        return faults.size();
    }

    @Override
    public Map<String, String> properties() {
        return Map.of();
    }

    @Override
    public void close() {}
}
