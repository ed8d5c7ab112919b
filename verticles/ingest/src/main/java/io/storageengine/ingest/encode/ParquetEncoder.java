package io.storageengine.ingest.encode;

import io.storageengine.ingest.encode.Partitions.Partition;
import io.storageengine.ingest.rows.RowBatch;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.PartitionField;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.SortOrder;
import org.apache.iceberg.io.OutputFile;
import org.apache.iceberg.transforms.Transform;
import org.apache.iceberg.types.Type;

/// Encodes batches of one table as Parquet data files with full Iceberg metrics.
///
/// Stateless and thread-safe: memory during a call is one column chunk and one page, and four bytes a row in a
/// partitioned table.
public final class ParquetEncoder {
    private final PartitionSpec spec;
    private final SortOrder order;
    private final Map<String, String> properties;
    private final WriteSettings settings;

    /// An encoder for a table as it is now; [#refusal] has nothing against it.
    ///
    /// @param spec the partition spec that the files are written under, bound to the table's current schema
    /// @param order the table's sort order: its columns keep bounds; rows are not sorted by it
    /// @param properties the table's properties; `write.parquet.*`, `write.metadata.metrics.*` and
    ///     `write.target-file-size-bytes` are honoured
    public ParquetEncoder(PartitionSpec spec, SortOrder order, Map<String, String> properties) {
        this.spec = spec;
        this.order = order;
        this.properties = Map.copyOf(properties);
        this.settings = WriteSettings.of(properties);
    }

    /// Why files of a table cannot be written (a codec or transform that is not known): a sentence that says
    /// what to do; empty when they can. To be asked after [io.storageengine.ingest.rows.RowTypes#refusal].
    public static Optional<String> refusal(Schema schema, PartitionSpec spec, Map<String, String> properties) {
        for (PartitionField field : spec.fields()) {
            Type source = spec.schema().findType(field.sourceId());
            if (source == null || !isWritable(field.transform(), source)) {
                return Optional.of("partition field `" + field.name() + "` has the transform " + field.transform()
                        + ", which is not supported; remove the field from the partition spec");
            }
        }
        return WriteSettings.refusal(properties).or(() -> FileLayout.refusal(schema));
    }

    /// Iceberg's manifest writer gives a partition value of type `fixed` a length, which readers do not
    /// expect: the table could not be read any more.
    private static boolean isWritable(Transform<?, ?> transform, Type source) {
        boolean known = !transform.getClass().getSimpleName().equals("UnknownTransform");
        return known
                && transform.canTransform(source)
                && transform.getResultType(source).typeId() != Type.TypeID.FIXED;
    }

    /// Encodes batches, which stay the caller's, one file after another: per partition and schema id at least
    /// one, more when the target file size asks for it. Rows keep their order within a partition.
    ///
    /// @throws UncheckedIOException what a file's stream threw; files made before lie unreferenced
    public List<DataFile> encode(List<RowBatch> batches, NewFiles files) {
        Map<Integer, List<RowBatch>> bySchema = new LinkedHashMap<>();
        for (RowBatch batch : batches) {
            if (batch.rows() > 0) {
                bySchema.computeIfAbsent(batch.schemaId(), _ -> new ArrayList<>())
                        .add(batch);
            }
        }
        List<DataFile> made = new ArrayList<>();
        try (PageCompressor compressor = PageCompressor.of(settings.codec(), settings.level())) {
            for (List<RowBatch> alike : bySchema.values()) {
                FileLayout layout = FileLayout.of(alike.get(0).schema(), order, properties);
                for (Map.Entry<Partition, List<Selection>> part : split(alike).entrySet()) {
                    for (List<Selection> rows : Pieces.cut(part.getValue(), settings.fileBytes())) {
                        made.add(write(layout, compressor, part.getKey(), rows, files));
                    }
                }
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
        return made;
    }

    private Map<Partition, List<Selection>> split(List<RowBatch> batches) {
        if (spec.isUnpartitioned()) {
            return Map.of(Partition.NONE, batches.stream().map(Selection::all).toList());
        }
        return new Partitions(spec).split(batches);
    }

    private DataFile write(
            FileLayout layout, PageCompressor compressor, Partition partition, List<Selection> rows, NewFiles files)
            throws IOException {
        OutputFile file = files.create(spec, partition);
        List<List<Selection>> rowGroups = Pieces.cut(rows, settings.rowGroupBytes());
        DataFileWriter.Written written =
                new DataFileWriter(layout, compressor, ColumnChunk::quickest).write(file, rowGroups);
        DataFiles.Builder builder = DataFiles.builder(spec)
                .withPath(file.location())
                .withFormat(FileFormat.PARQUET)
                .withFileSizeInBytes(written.bytes())
                .withMetrics(written.metrics())
                .withSplitOffsets(written.splitOffsets());
        if (spec.isPartitioned()) {
            builder.withPartition(partition);
        }
        return builder.build();
    }
}
