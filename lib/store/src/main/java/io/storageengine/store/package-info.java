/// The object store: what its adapters share, and the decorators around any of them.
@NullMarked
package io.storageengine.store;

import org.jspecify.annotations.NullMarked;
