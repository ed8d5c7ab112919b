/// A server for tests.
@NullMarked
package io.storageengine.gateway;

import org.jspecify.annotations.NullMarked;
