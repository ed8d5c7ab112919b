/// The front of catalog administration and of the Iceberg REST API.
@NullMarked
package io.storageengine.gateway.iceberg;

import org.jspecify.annotations.NullMarked;
