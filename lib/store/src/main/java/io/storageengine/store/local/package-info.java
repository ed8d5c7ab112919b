/// Buckets on a local disk.
@NullMarked
package io.storageengine.store.local;

import org.jspecify.annotations.NullMarked;
