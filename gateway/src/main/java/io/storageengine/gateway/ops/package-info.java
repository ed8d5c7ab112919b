/// Health and metrics.
@NullMarked
package io.storageengine.gateway.ops;

import org.jspecify.annotations.NullMarked;
