/// What a process left behind in its write-ahead logs is brought into its tables.
@NullMarked
package io.storageengine.ingest.recovery;

import org.jspecify.annotations.NullMarked;
