/// What every room speaks: outcomes, ports and the messages between rooms. Plain Java without I/O, threads or
/// clocks.
@NullMarked
package io.storageengine.core;

import org.jspecify.annotations.NullMarked;
