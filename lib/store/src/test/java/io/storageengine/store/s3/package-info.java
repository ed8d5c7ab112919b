/// The contract over a real S3-compatible server, and faults that only a network has.
@NullMarked
package io.storageengine.store.s3;

import org.jspecify.annotations.NullMarked;
