/// The only code that touches the Vert.x event bus: typed addresses, codecs (by reference in one JVM,
/// protobuf between JVMs), questions and their answers.
@NullMarked
package io.storageengine.bus;

import org.jspecify.annotations.NullMarked;
