/// Who holds the channels of a catalog's tables.
@NullMarked
package io.storageengine.catalog.channels;

import org.jspecify.annotations.NullMarked;
