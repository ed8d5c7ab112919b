/// The one port: what a request is, who takes it, how much is let in, and the line that is logged for it.
@NullMarked
package io.storageengine.gateway.door;

import org.jspecify.annotations.NullMarked;
