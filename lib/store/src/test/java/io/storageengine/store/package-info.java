/// One contract, run against every store.
@NullMarked
package io.storageengine.store;

import org.jspecify.annotations.NullMarked;
