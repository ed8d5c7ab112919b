@NullMarked
package io.storageengine.bus;

import org.jspecify.annotations.NullMarked;
