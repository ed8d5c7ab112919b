/// Tests of the door to catalogs elsewhere.
@NullMarked
package io.storageengine.catalog.upstream;

import org.jspecify.annotations.NullMarked;
