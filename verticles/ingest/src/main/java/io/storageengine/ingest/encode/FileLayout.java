package io.storageengine.ingest.encode;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.iceberg.MetricsConfig;
import org.apache.iceberg.Schema;
import org.apache.iceberg.SchemaParser;
import org.apache.iceberg.SortOrder;
import org.apache.iceberg.TableProperties;
import org.apache.iceberg.parquet.ParquetSchemaUtil;
import org.apache.iceberg.types.TypeUtil;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.ParquetProperties;
import org.apache.parquet.column.ParquetProperties.WriterVersion;
import org.apache.parquet.column.values.factory.DefaultV1ValuesWriterFactory;
import org.apache.parquet.column.values.factory.DefaultV2ValuesWriterFactory;
import org.apache.parquet.schema.ColumnOrder;
import org.apache.parquet.schema.GroupType;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.Type;

/// How rows of one schema lie in a Parquet file: its schema with field ids, and for each leaf how it is
/// encoded.
///
/// @param schema the rows' schema
/// @param message the same as Parquet says it
/// @param columns the leaves, in the message's order
/// @param metrics which metrics are kept, by the names that the columns have in the file
record FileLayout(Schema schema, MessageType message, List<Column> columns, MetricsConfig metrics) {

    /// A leaf and how it is written.
    ///
    /// @param message a schema of this column alone, so that each is written by itself
    /// @param encoding its Parquet settings, with a values writer factory of its own: the default ones are
    ///     shared by the whole process and re-initialised by every file
    record Column(Leaf leaf, MessageType message, ParquetProperties encoding) {
        ColumnDescriptor descriptor() {
            return message.getColumns().get(0);
        }
    }

    static FileLayout of(Schema schema, SortOrder order, Map<String, String> properties) {
        MessageType message = message(schema);
        WriteSettings settings = WriteSettings.of(properties);
        List<Leaf> leaves = Leaf.of(schema);
        List<Column> columns = new ArrayList<>();
        for (int i = 0; i < leaves.size(); i++) {
            ColumnDescriptor descriptor = message.getColumns().get(i);
            ParquetProperties encoding = encoding(leaves.get(i), descriptor, schema, settings, properties);
            columns.add(new Column(leaves.get(i), alone(message, descriptor), encoding));
        }
        return new FileLayout(schema, message, List.copyOf(columns), metrics(schema, message, order, properties));
    }

    private static MessageType message(Schema schema) {
        MessageType message = ParquetSchemaUtil.convert(schema, "table");
        return new MessageType(message.getName(), inTypeOrder(message));
    }

    /// Bounds of floats are said in the order that every reader knows; the newer total order, which Parquet
    /// would take by itself, makes most of them ignore the bounds.
    private static List<Type> inTypeOrder(GroupType group) {
        List<Type> fields = new ArrayList<>();
        for (Type field : group.getFields()) {
            fields.add(
                    field.isPrimitive()
                            ? field.asPrimitiveType().withColumnOrder(ColumnOrder.typeDefined())
                            : field.asGroupType().withNewFields(inTypeOrder(field.asGroupType())));
        }
        return fields;
    }

    /// Why a schema does not fit in a Parquet file; empty when it does.
    static Optional<String> refusal(Schema schema) {
        if (TypeUtil.indexById(schema.asStruct()).values().stream()
                .anyMatch(field -> field.name().isEmpty())) {
            return Optional.of("a column has an empty name, which a data file cannot have; rename it");
        }
        return twins(ParquetSchemaUtil.convert(schema, "table"));
    }

    private static Optional<String> twins(GroupType group) {
        Collection<String> names = new HashSet<>();
        for (Type field : group.getFields()) {
            if (!names.add(field.getName())) {
                return Optional.of("two columns would both be called `" + field.getName()
                        + "` in a data file; rename one to letters, digits and underscores");
            }
            Optional<String> below = field.isPrimitive() ? Optional.empty() : twins(field.asGroupType());
            if (below.isPresent()) {
                return below;
            }
        }
        return Optional.empty();
    }

    /// What the file's own metadata says besides the Parquet schema.
    Map<String, String> keyValues() {
        return Map.of("iceberg.schema", SchemaParser.toJson(schema));
    }

    private static MessageType alone(MessageType message, ColumnDescriptor column) {
        return new MessageType(message.getName(), pruned(message, column.getPath(), 0));
    }

    private static Type pruned(GroupType group, String[] path, int depth) {
        Type field = group.getType(path[depth]);
        return field.isPrimitive()
                ? field
                : field.asGroupType().withNewFields(pruned(field.asGroupType(), path, depth + 1));
    }

    private static ParquetProperties encoding(
            Leaf leaf, ColumnDescriptor column, Schema schema, WriteSettings settings, Map<String, String> properties) {
        String path = String.join(".", column.getPath());
        String name = leaf.fieldId() < 0 ? path : schema.findColumnName(leaf.fieldId());
        boolean dictionary =
                enabled(properties, TableProperties.PARQUET_DICT_ENCODING_ENABLED_COLUMN_PREFIX + name, true);
        boolean bloom = enabled(properties, TableProperties.PARQUET_BLOOM_FILTER_COLUMN_ENABLED_PREFIX + name, false);
        String chance = properties.get(TableProperties.PARQUET_BLOOM_FILTER_COLUMN_FPP_PREFIX + name);
        ParquetProperties.Builder builder = ParquetProperties.builder()
                .withPageSize(settings.pageBytes())
                .withPageRowCountLimit(settings.pageRows())
                .withDictionaryPageSize(settings.dictionaryBytes())
                .withDictionaryEncoding(dictionary)
                .withBloomFilterEnabled(path, bloom)
                .withMaxBloomFilterBytes(bloomBytes(properties))
                .withSizeStatisticsEnabled(false);
        if (chance != null) {
            builder.withBloomFilterFPP(path, Double.parseDouble(chance));
        }
        return settings.secondPageVersion()
                ? builder.withWriterVersion(WriterVersion.PARQUET_2_0)
                        .withValuesWriterFactory(new DefaultV2ValuesWriterFactory())
                        .build()
                : builder.withWriterVersion(WriterVersion.PARQUET_1_0)
                        .withValuesWriterFactory(new DefaultV1ValuesWriterFactory())
                        .build();
    }

    private static boolean enabled(Map<String, String> properties, String key, boolean fallback) {
        return Boolean.parseBoolean(properties.getOrDefault(key, Boolean.toString(fallback)));
    }

    private static int bloomBytes(Map<String, String> properties) {
        String text = properties.get(TableProperties.PARQUET_BLOOM_FILTER_MAX_BYTES);
        return text == null ? TableProperties.PARQUET_BLOOM_FILTER_MAX_BYTES_DEFAULT : Integer.parseInt(text);
    }

    /// Iceberg looks metrics modes up by the names in the file, which differ from the table's where those are
    /// not letters, digits and underscores: so each column's mode is said again under its name in the file.
    private static MetricsConfig metrics(
            Schema schema, MessageType message, SortOrder order, Map<String, String> properties) {
        MetricsConfig asked = MetricsConfig.from(properties, schema, order);
        Schema inFile = ParquetSchemaUtil.convert(message);
        Map<String, String> modes = new HashMap<>();
        for (int id : TypeUtil.indexById(inFile.asStruct()).keySet()) {
            String name = schema.findColumnName(id);
            modes.put(
                    TableProperties.METRICS_MODE_COLUMN_CONF_PREFIX + inFile.findColumnName(id),
                    asked.columnMode(name).toString());
        }
        return MetricsConfig.from(modes, inFile, SortOrder.unsorted());
    }
}
