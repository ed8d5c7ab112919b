/// The contract over buckets in memory.
@NullMarked
package io.storageengine.store.memory;

import org.jspecify.annotations.NullMarked;
