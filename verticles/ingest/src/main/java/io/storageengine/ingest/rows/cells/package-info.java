/// Columns of typed values, as formats that are not text bring them, before they are checked against a table.
@NullMarked
package io.storageengine.ingest.rows.cells;

import org.jspecify.annotations.NullMarked;
