/// Tests of the catalog room.
@NullMarked
package io.storageengine.catalog;

import org.jspecify.annotations.NullMarked;
