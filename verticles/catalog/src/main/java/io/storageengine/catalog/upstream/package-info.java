/// Catalogs elsewhere that speak Iceberg's REST protocol: proxied for clients, committed to by ingestion.
@NullMarked
package io.storageengine.catalog.upstream;

import org.jspecify.annotations.NullMarked;
