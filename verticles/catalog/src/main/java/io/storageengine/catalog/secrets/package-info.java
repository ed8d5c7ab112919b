/// The secrets of catalogs' configurations, behind one port.
@NullMarked
package io.storageengine.catalog.secrets;

import org.jspecify.annotations.NullMarked;
