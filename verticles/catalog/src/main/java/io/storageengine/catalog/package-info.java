/// The room of catalogs: native ones, whose state is a log of objects, and those of others that are proxied.
@NullMarked
package io.storageengine.catalog;

import org.jspecify.annotations.NullMarked;
