/// Buckets of a service that speaks the S3 API.
@NullMarked
package io.storageengine.store.s3;

import org.jspecify.annotations.NullMarked;
