/// What a native catalog holds and how it changes: pure, immutable, without I/O or clocks.
@NullMarked
package io.storageengine.catalog.state;

import org.jspecify.annotations.NullMarked;
