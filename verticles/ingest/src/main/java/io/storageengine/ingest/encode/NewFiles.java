package io.storageengine.ingest.encode;

import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.StructLike;
import org.apache.iceberg.io.OutputFile;

/// Where new data files go. Called once for every file, in the encoding thread.
@FunctionalInterface
public interface NewFiles {
    /// A file that is not there yet.
    ///
    /// @param partition the file's partition; of no fields in an unpartitioned table; only valid during the
    ///     call
    OutputFile create(PartitionSpec spec, StructLike partition);
}
