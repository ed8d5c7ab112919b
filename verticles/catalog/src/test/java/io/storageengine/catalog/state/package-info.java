/// Tests of the state machine.
@NullMarked
package io.storageengine.catalog.state;

import org.jspecify.annotations.NullMarked;
