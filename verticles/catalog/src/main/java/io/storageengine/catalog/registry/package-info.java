/// Which catalogs there are: their registrations in the cluster storage, and their administration over HTTP.
@NullMarked
package io.storageengine.catalog.registry;

import org.jspecify.annotations.NullMarked;
