package io.storageengine.gateway.auth;

/// A key pair of the S3 API.
///
/// @param id the public part
/// @param secret never logged
public record AccessKey(String id, String secret) {
    @Override
    public String toString() {
        return "AccessKey[" + id + "]";
    }
}
