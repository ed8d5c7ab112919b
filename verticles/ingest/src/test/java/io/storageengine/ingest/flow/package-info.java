@NullMarked
package io.storageengine.ingest.flow;

import org.jspecify.annotations.NullMarked;
