/// Iceberg's table metadata: reading, changing, writing; the only place of this room that does.
@NullMarked
package io.storageengine.catalog.iceberg;

import org.jspecify.annotations.NullMarked;
