/// Reads Arrow IPC streams that strangers send: every length is checked before it is believed.
@NullMarked
package io.storageengine.ingest.rows.arrow;

import org.jspecify.annotations.NullMarked;
