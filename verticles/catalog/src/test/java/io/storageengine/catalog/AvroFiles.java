package io.storageengine.catalog;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.avro.Avro;
import org.apache.iceberg.avro.AvroFormatModel;
import org.apache.iceberg.data.GenericRecord;
import org.apache.iceberg.data.IcebergGenerics;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.data.avro.DataWriter;
import org.apache.iceberg.data.avro.PlannedDataReader;
import org.apache.iceberg.formats.FormatModelRegistry;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.io.FileAppender;
import org.apache.iceberg.io.OutputFile;
import org.apache.iceberg.types.Types;

/// Data files that hold rows, written and read by Iceberg's own code.
final class AvroFiles {
    static final Schema SCHEMA = new Schema(
            Types.NestedField.required(1, "id", Types.LongType.get()),
            Types.NestedField.optional(2, "data", Types.StringType.get()));

    static {
        // The library's own list of formats asks for Parquet and ORC too, which are not here.
        FormatModelRegistry.register(AvroFormatModel.create(
                Record.class,
                Void.class,
                (schema, fileSchema, engineSchema) -> DataWriter.create(fileSchema),
                (schema, fileSchema, engineSchema, constants) -> PlannedDataReader.create(schema, constants)));
    }

    private AvroFiles() {}

    /// A file of rows with ids from `id * 100` on.
    static DataFile written(Table table, long id, int rows) {
        OutputFile out = table.io().newOutputFile("s3://dev/data/" + id + ".avro");
        try (FileAppender<Record> appender = Avro.write(out)
                .schema(SCHEMA)
                .createWriterFunc(DataWriter::create)
                .build()) {
            for (int row = 0; row < rows; row++) {
                GenericRecord record = GenericRecord.create(SCHEMA);
                record.setField("id", id * 100 + row);
                record.setField("data", "row " + row);
                appender.add(record);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return DataFiles.builder(PartitionSpec.unpartitioned())
                .withPath(out.location())
                .withFormat(FileFormat.AVRO)
                .withFileSizeInBytes(out.toInputFile().getLength())
                .withRecordCount(rows)
                .build();
    }

    /// The ids of all rows.
    static List<Long> ids(Table table) {
        try (CloseableIterable<Record> rows = IcebergGenerics.read(table).build()) {
            List<Long> ids = new ArrayList<>();
            rows.forEach(row -> ids.add((Long) row.getField("id")));
            return ids;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
