package io.storageengine.ingest.encode;

import io.storageengine.ingest.rows.RowBatch;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.SortOrder;

/// Encodes batches of one table as Parquet data files with full Iceberg metrics.
///
/// Stateless and thread-safe: memory during a call is one column chunk and one page.
public final class ParquetEncoder {
    /// An encoder for a table as it is now.
    ///
    /// @param schema the table's current schema
    /// @param spec the partition spec that the files are written under
    /// @param properties the table's properties; `write.parquet.*`, `write.metadata.metrics.*` and
    ///     `write.target-file-size-bytes` are honoured
    public ParquetEncoder(Schema schema, PartitionSpec spec, SortOrder order, Map<String, String> properties) {}

    /// Why files of a table cannot be written (a codec or transform that is not known): a sentence that says
    /// what to do; empty when they can. To be asked together with
    /// [io.storageengine.ingest.rows.RowTypes#refusal].
    public static Optional<String> refusal(PartitionSpec spec, Map<String, String> properties) {
        java.util.Objects.requireNonNull(spec);
        throw new UnsupportedOperationException();
    }

    /// Encodes batches, which stay the caller's, one file after another: per partition and schema id at least
    /// one, more when the target file size asks for it. Rows keep their order within a partition.
    ///
    /// @throws java.io.UncheckedIOException what a file's stream threw; files made before lie unreferenced
    public List<DataFile> encode(List<RowBatch> batches, NewFiles files) {
        java.util.Objects.requireNonNull(files);
        throw new UnsupportedOperationException();
    }
}
