/// Iceberg's file access over the object store, and the little JSON that the rooms share.
@NullMarked
package io.storageengine.iceberg;

import org.jspecify.annotations.NullMarked;
