/// The contract over a local disk, and what only a disk has.
@NullMarked
package io.storageengine.store.local;

import org.jspecify.annotations.NullMarked;
