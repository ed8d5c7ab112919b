/// Catalogs as a whole, for a process that does not serve them: exported to one file, imported from it, and
/// rebuilt from the metadata files in a warehouse when the log is lost.
@NullMarked
package io.storageengine.catalog.backup;

import org.jspecify.annotations.NullMarked;
