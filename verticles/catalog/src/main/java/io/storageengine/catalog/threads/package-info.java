/// Where a catalog's own threads come from: production's are virtual, a simulation has none.
@NullMarked
package io.storageengine.catalog.threads;

import org.jspecify.annotations.NullMarked;
