package io.storageengine.gateway.s3;

import io.storageengine.core.store.Buckets;
import io.storageengine.core.store.ObjectStore;
import java.io.IOException;
import java.util.Set;

/// Tells the operations of the S3 API apart and refuses those that are not offered.
final class S3Operations {
    /// Sub-resources of the S3 API that this engine does not have; to ignore one would be to lie.
    private static final Set<String> NOT_OFFERED = Set.of(
            "accelerate",
            "acl",
            "analytics",
            "attributes",
            "cors",
            "encryption",
            "intelligent-tiering",
            "inventory",
            "legal-hold",
            "lifecycle",
            "logging",
            "metadataTable",
            "metrics",
            "notification",
            "object-lock",
            "ownershipControls",
            "policy",
            "policyStatus",
            "publicAccessBlock",
            "renameObject",
            "replication",
            "requestPayment",
            "restore",
            "retention",
            "select",
            "session",
            "tagging",
            "torrent",
            "website");

    private final Hidden hidden;
    private final Buckets buckets;
    private final BucketCalls bucketCalls;
    private final ListCalls listCalls;
    private final ObjectReads reads = new ObjectReads();
    private final ObjectWrites writes;
    private final UploadCalls uploads;

    S3Operations(Buckets buckets, Hidden hidden) {
        this.hidden = hidden;
        this.buckets = buckets;
        this.bucketCalls = new BucketCalls(buckets, hidden);
        this.listCalls = new ListCalls(hidden);
        CopySource sources = new CopySource(buckets, hidden);
        this.writes = new ObjectWrites(sources, hidden);
        this.uploads = new UploadCalls(sources, hidden);
    }

    void serve(S3Call call) throws IOException {
        for (String parameter : call.query().keySet()) {
            if (NOT_OFFERED.contains(parameter)) throw S3Errors.notImplemented("?" + parameter);
        }
        if (!call.param("versionId").isEmpty() && !call.param("versionId").equals("null")) {
            throw S3Errors.refusal("NoSuchVersion", "There are no versions here but 'null'");
        }
        if (call.bucket().isEmpty() && call.key().isEmpty()) service(call);
        else if (call.bucket().isEmpty()) throw S3Errors.refusal("InvalidBucketName", "The path names no bucket");
        else if (hidden.hidesBucket(call.bucket())) throw noSuchBucket(call);
        else if (call.key().isEmpty()) bucket(call);
        else object(call);
    }

    private static RuntimeException noSuchBucket(S3Call call) {
        return S3Errors.refusal("NoSuchBucket", "There is no bucket " + call.bucket());
    }

    private void service(S3Call call) {
        if (!call.method().equals("GET")) throw notAllowed(call);
        bucketCalls.list(call);
    }

    private void bucket(S3Call call) {
        switch (call.method()) {
            case "GET" -> readBucket(call);
            case "HEAD" -> bucketCalls.head(call);
            case "PUT" -> {
                if (call.has("versioning")) throw S3Errors.notImplemented("?versioning");
                bucketCalls.create(call);
            }
            case "DELETE" -> bucketCalls.delete(call);
            case "POST" -> {
                if (!call.has("delete")) throw S3Errors.notImplemented("POST of a form");
                writes.deleteAll(call, store(call));
            }
            default -> throw notAllowed(call);
        }
    }

    private void readBucket(S3Call call) {
        if (call.has("location")) bucketCalls.location(call);
        else if (call.has("versioning")) bucketCalls.versioning(call);
        else if (call.has("uploads")) uploads.list(call, store(call));
        else if (call.has("versions")) listCalls.versions(call, store(call));
        else if (call.param("list-type").equals("2")) listCalls.second(call, store(call));
        else listCalls.first(call, store(call));
    }

    private void object(S3Call call) throws IOException {
        if (hidden.hides(call.bucket(), call.key())) {
            throw S3Errors.refusal("AccessDenied", "This key is the engine's own");
        }
        boolean reads = call.method().equals("GET") || call.method().equals("HEAD");
        if (!reads && Hidden.isReserved(call.key())) {
            throw S3Errors.refusal("AccessDenied", "Keys with a segment '_se' are the engine's own, to be read only");
        }
        if (call.has("uploadId") || call.has("uploads")) upload(call);
        else plain(call);
    }

    private void plain(S3Call call) throws IOException {
        switch (call.method()) {
            case "GET" -> reads.get(call, store(call));
            case "HEAD" -> reads.head(call, store(call));
            case "PUT" -> writes.put(call, store(call));
            case "DELETE" -> writes.delete(call, store(call));
            default -> throw notAllowed(call);
        }
    }

    private void upload(S3Call call) throws IOException {
        switch (call.method()) {
            case "GET" -> uploads.listParts(call, store(call));
            case "PUT" -> uploads.part(call, store(call));
            case "POST" -> {
                if (call.has("uploads")) uploads.create(call, store(call));
                else uploads.complete(call, store(call));
            }
            case "DELETE" -> uploads.abort(call, store(call));
            default -> throw notAllowed(call);
        }
    }

    private ObjectStore store(S3Call call) {
        return buckets.bucket(call.bucket());
    }

    private static RuntimeException notAllowed(S3Call call) {
        return S3Errors.refusal("MethodNotAllowed", "The method " + call.method() + " is not allowed here");
    }
}
