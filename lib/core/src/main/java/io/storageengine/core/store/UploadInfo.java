package io.storageengine.core.store;

import java.time.Instant;

/// A multipart upload in progress.
public record UploadInfo(String key, String uploadId, Instant initiated) {}
