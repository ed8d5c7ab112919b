@NullMarked
package io.storageengine.iceberg;

import org.jspecify.annotations.NullMarked;
