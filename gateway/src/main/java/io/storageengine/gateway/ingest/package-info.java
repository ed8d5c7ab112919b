/// The front of ingestion over HTTP.
@NullMarked
package io.storageengine.gateway.ingest;

import org.jspecify.annotations.NullMarked;
