/// Tests of the state machine.
@NullMarked
package io.storageengine.catalog.tables;

import org.jspecify.annotations.NullMarked;
