/// One process's hold on a native catalog's log: follows it, and appends what waits as one entry.
@NullMarked
package io.storageengine.catalog.log;

import org.jspecify.annotations.NullMarked;
