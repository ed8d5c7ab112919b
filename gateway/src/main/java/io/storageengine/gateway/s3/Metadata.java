package io.storageengine.gateway.s3;

import io.storageengine.core.store.ObjectInfo;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// What is kept with an object beside its bytes: the user's metadata as it is, and under names of our own the
/// standard headers and the checksums.
final class Metadata {
    private static final String USER = "x-amz-meta-";
    private static final String HTTP = "se-http-";
    private static final String CHECKSUM = "se-checksum-";
    private static final int USER_BYTES_MAX = 2_048;
    private static final List<String> HTTP_HEADERS =
            List.of("content-encoding", "cache-control", "content-disposition", "content-language", "expires");

    private Metadata() {}

    /// What a write asks to keep, without checksums.
    static Map<String, String> ofRequest(S3Call call) {
        refuseUnkept(call);
        Map<String, String> metadata = new HashMap<>();
        int bytes = 0;
        for (Map.Entry<String, String> header : call.exchange().headers().entrySet()) {
            if (!header.getKey().startsWith(USER)) continue;
            String name = header.getKey().substring(USER.length());
            if (name.startsWith(HTTP) || name.startsWith(CHECKSUM)) {
                throw S3Errors.refusal("InvalidArgument", "Metadata named " + name + " is the engine's own");
            }
            bytes += name.length() + header.getValue().getBytes(StandardCharsets.UTF_8).length;
            metadata.put(name, header.getValue());
        }
        if (bytes > USER_BYTES_MAX) throw S3Errors.refusal("MetadataTooLarge", "Metadata has at most 2 KB");
        for (String name : HTTP_HEADERS) {
            String value = name.equals("content-encoding") ? contentEncoding(call) : call.header(name);
            if (!value.isEmpty()) metadata.put(HTTP + name, value);
        }
        return metadata;
    }

    private static void refuseUnkept(S3Call call) {
        if (!call.header("x-amz-tagging").isEmpty()) throw S3Errors.notImplemented("x-amz-tagging");
        String encryption = call.header("x-amz-server-side-encryption");
        boolean keys = call.exchange().headers().keySet().stream()
                .anyMatch(name -> name.startsWith("x-amz-server-side-encryption-"));
        if (keys || !(encryption.isEmpty() || encryption.equals("AES256"))) {
            throw S3Errors.notImplemented("Encryption with a key of the caller");
        }
    }

    /// Without `aws-chunked`, which is of the transfer and not of the object.
    private static String contentEncoding(S3Call call) {
        List<String> kept = new ArrayList<>();
        for (String coding : call.header("content-encoding").split(",", -1)) {
            String bare = coding.strip();
            if (!bare.isEmpty() && !bare.toLowerCase(Locale.ROOT).equals("aws-chunked")) kept.add(bare);
        }
        return String.join(",", kept);
    }

    static String contentType(S3Call call) {
        String type = call.header("content-type");
        return type.isEmpty() ? "application/octet-stream" : type;
    }

    /// Checksums as they are kept.
    static Map<String, String> ofChecksums(Map<String, String> byHeader) {
        Map<String, String> metadata = new HashMap<>();
        byHeader.forEach((name, value) -> metadata.put(CHECKSUM + name.substring(ChecksumKind.PREFIX.length()), value));
        return metadata;
    }

    /// Only the checksums, as they are kept.
    static Map<String, String> checksumsOf(ObjectInfo info) {
        Map<String, String> metadata = new HashMap<>(info.metadata());
        metadata.keySet().removeIf(name -> !name.startsWith(CHECKSUM));
        return metadata;
    }

    /// The headers of an answer about the object.
    ///
    /// @param checksums whether the caller asked for them
    static Map<String, String> headers(ObjectInfo info, boolean checksums) {
        Map<String, String> headers = new HashMap<>();
        headers.put("etag", "\"" + info.etag() + "\"");
        headers.put("last-modified", Times.http(info.lastModified()));
        headers.put("accept-ranges", "bytes");
        headers.put("content-type", info.contentType());
        info.metadata().forEach((name, value) -> {
            if (name.startsWith(HTTP)) {
                headers.put(name.substring(HTTP.length()), value);
            } else if (name.startsWith(CHECKSUM)) {
                if (checksums) headers.put(ChecksumKind.PREFIX + name.substring(CHECKSUM.length()), value);
            } else {
                headers.put(USER + name, value);
            }
        });
        boolean any = Arrays.stream(ChecksumKind.values()).anyMatch(kind -> headers.containsKey(kind.header()));
        if (any) headers.put("x-amz-checksum-type", "FULL_OBJECT");
        return headers;
    }
}
