/// The object log against a store that does what a test tells it to.
@NullMarked
package io.storageengine.core.log;

import org.jspecify.annotations.NullMarked;
