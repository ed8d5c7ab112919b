package io.storageengine.ingest.rows;

import io.storageengine.core.message.RowOptions;
import java.io.IOException;
import java.io.InputStream;
import java.util.function.LongConsumer;

/// Tells the rows of a body apart.
sealed interface RowSource permits LineSource, DocumentSource {
    /// @param memory is told of the bytes that long rows take more than others; it may refuse
    static RowSource of(RowOptions.Format format, InputStream body, RowLimits limits, LongConsumer memory) {
        ByteWindow window = new ByteWindow(body, memory);
        return switch (format) {
            case JSON -> new DocumentSource(window, limits.rowBytesMax());
            case NDJSON -> new LineSource(window, limits.rowBytesMax());
            case CSV, ARROW -> throw new IllegalArgumentException(format + " is not JSON");
        };
    }

    /// Puts the scanner at the first byte of the next row; false when there is none.
    ///
    /// @throws BadRow when the next row cannot be told apart; it is then [#skip]ped as any other
    boolean next(JsonScanner scanner) throws IOException;

    /// The row was read, up to the scanner's place.
    ///
    /// @throws BadRow when something stands behind it that should not
    void taken(JsonScanner scanner);

    /// The row's bytes end early.
    ///
    /// @return true when there are more now and the row, its scanner at the first byte again, is to be tried
    ///     anew
    /// @throws BadRow when there are none
    boolean extend(JsonScanner scanner) throws IOException;

    /// Passes over a bad row.
    ///
    /// @param malformed its text is not JSON
    void skip(boolean malformed) throws IOException;

    /// True when the rest of the body cannot be told apart into rows.
    boolean broken();
}
