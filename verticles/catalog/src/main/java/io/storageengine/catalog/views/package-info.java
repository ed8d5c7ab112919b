/// Native catalogs: views whose catalog is this engine.
@NullMarked
package io.storageengine.catalog.views;

import org.jspecify.annotations.NullMarked;
