/// Rows as clients send them, checked against a table's schema and turned into column batches.
@NullMarked
package io.storageengine.ingest.rows;

import org.jspecify.annotations.NullMarked;
