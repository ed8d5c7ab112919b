/// The S3 API.
@NullMarked
package io.storageengine.gateway.s3;

import org.jspecify.annotations.NullMarked;
