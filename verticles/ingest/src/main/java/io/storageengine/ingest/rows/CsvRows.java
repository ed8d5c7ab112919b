package io.storageengine.ingest.rows;

import io.storageengine.core.Failure;
import io.storageengine.core.FailureException;
import io.storageengine.core.message.RowOptions;
import io.storageengine.ingest.rows.RowFault.Codes;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongConsumer;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.iceberg.Schema;

/// Reads the rows of a CSV body ([CsvSource] has its form), whose first record names the columns.
///
/// How fields become column values: an empty field without quotes is null, an empty one in quotes the empty text;
/// numbers are as in JSON, with or without quotes; booleans are `true` and `false` in any case; structs, lists,
/// maps and variants are JSON; all else is as in a JSON string ([JsonRows]). Columns that the header leaves out
/// are as fields that a JSON object leaves out.
final class CsvRows extends RowReader {
    /// More than a table should have.
    static final int COLUMNS_MAX = 10_000;

    private final CsvSource source;
    private List<String> names = List.of();
    private int[] places = new int[0];
    private boolean begun;

    CsvRows(
            InputStream body,
            RowOptions.OnError onError,
            Schema schema,
            RowLimits limits,
            BufferAllocator allocator,
            LongConsumer memory) {
        super(onError, schema, limits, allocator);
        this.source = new CsvSource(new ByteWindow(body, memory), limits.rowBytesMax(), COLUMNS_MAX);
    }

    @Override
    long read(int index) throws IOException {
        if (!begun) {
            begun = true;
            names = header(source, scanner);
            places = names.stream().mapToInt(fields::find).toArray();
        }
        try {
            if (!source.next()) {
                return -1;
            }
            readFields(index);
            rows++;
            return source.length();
        } catch (BadRow bad) {
            fields.truncate(index);
            note(bad);
            return 0;
        }
    }

    private void readFields(int index) {
        if (source.fields() != places.length) {
            String counts = source.fields() + " fields, and the header has " + places.length;
            throw new BadRow("", Codes.WRONG_FIELD_COUNT, "the row has " + counts);
        }
        for (int i = 0; i < places.length; i++) {
            if (places[i] < 0) {
                throw StructColumn.unknown(names.get(i), "");
            }
            RowColumn column = fields.column(places[i]);
            if (source.isNull(i)) {
                column.readNull();
            } else {
                source.text(i, column.path, scanner);
                column.readPlain();
            }
        }
        if (places.length < fields.size()) {
            fields.absent(index);
        }
    }

    /// Reads the names of the columns.
    ///
    /// @throws FailureException `INVALID` when there are none, or one is there twice
    static List<String> header(CsvSource source, JsonScanner scanner) throws IOException {
        List<String> names = new ArrayList<>();
        try {
            if (!source.next()) {
                throw invalid("the body has no header row, which names the columns");
            }
            if (source.fields() > COLUMNS_MAX) {
                throw invalid("the header has more than " + COLUMNS_MAX + " columns");
            }
            for (int i = 0; i < source.fields(); i++) {
                source.text(i, "", scanner);
                names.add(scanner.textAsString());
            }
        } catch (BadRow bad) {
            throw invalid("in the header row, " + bad.reason);
        }
        Set<String> seen = new HashSet<>();
        for (String name : names) {
            if (!seen.add(name)) {
                throw invalid("the header has the column `" + shown(name) + "` twice");
            }
        }
        source.expect(names.size());
        return names;
    }

    private static String shown(String name) {
        return name.length() > 100 ? name.substring(0, 100) + "…" : name;
    }

    private static FailureException invalid(String why) {
        return new FailureException(new Failure(Failure.Kind.INVALID, "InvalidCsv", "This is no CSV: " + why));
    }
}
