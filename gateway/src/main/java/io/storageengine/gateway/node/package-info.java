/// The node: settings, wiring, start and stop.
@NullMarked
package io.storageengine.gateway.node;

import org.jspecify.annotations.NullMarked;
