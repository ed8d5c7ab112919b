/// The object-store port: what an S3-compatible store, a local disk and memory have in common.
@NullMarked
package io.storageengine.core.store;

import org.jspecify.annotations.NullMarked;
