/// Native catalogs: namespaces and tables whose catalog is this engine.
@NullMarked
package io.storageengine.catalog.tables;

import org.jspecify.annotations.NullMarked;
