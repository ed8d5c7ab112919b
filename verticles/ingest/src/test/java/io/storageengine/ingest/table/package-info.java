@NullMarked
package io.storageengine.ingest.table;

import org.jspecify.annotations.NullMarked;
