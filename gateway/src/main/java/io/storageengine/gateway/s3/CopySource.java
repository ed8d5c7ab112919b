package io.storageengine.gateway.s3;

import io.storageengine.core.store.Buckets;
import io.storageengine.core.store.ByteRange;
import io.storageengine.core.store.ObjectBody;
import io.storageengine.core.store.ObjectInfo;
import io.storageengine.gateway.door.Percent;
import java.io.IOException;

/// Finds what `x-amz-copy-source` names.
final class CopySource {
    static final String HEADER = "x-amz-copy-source";

    private final Buckets buckets;
    private final Hidden hidden;

    CopySource(Buckets buckets, Hidden hidden) {
        this.buckets = buckets;
        this.hidden = hidden;
    }

    /// A source by name.
    record Name(String bucket, String key) {}

    /// `/bucket/key` or `bucket/key`, percent-encoded, perhaps with `?versionId=null`.
    static Name name(S3Call call) {
        String header = call.header(HEADER);
        int question = header.indexOf("?versionId=");
        String raw = question < 0 ? header : header.substring(0, question);
        if (question >= 0 && !header.endsWith("?versionId=null")) {
            throw S3Errors.refusal("NoSuchVersion", "There are no versions here but 'null'");
        }
        String plain = Percent.decode(raw)
                .orElseThrow(() -> S3Errors.refusal("InvalidArgument", HEADER + " is not percent-encoded UTF-8"));
        String path = plain.startsWith("/") ? plain.substring(1) : plain;
        int slash = path.indexOf('/');
        if (slash <= 0 || slash == path.length() - 1) {
            throw S3Errors.refusal("InvalidArgument", HEADER + " is /bucket/key");
        }
        return new Name(path.substring(0, slash), path.substring(slash + 1));
    }

    /// Opens the source when its conditions hold; the caller closes it.
    ObjectBody open(S3Call call, ByteRange range) throws IOException {
        Name name = name(call);
        if (hidden.hidesBucket(name.bucket()) || hidden.hides(name.bucket(), name.key())) {
            throw S3Errors.refusal("AccessDenied", "The source is the engine's own");
        }
        ObjectBody body = buckets.bucket(name.bucket()).get(name.key(), range).orThrow();
        ObjectInfo info = body.info();
        if (Conditions.ofCopySource(call).of(info) == Conditions.Verdict.GO) return body;
        body.close();
        throw S3Errors.refusal("PreconditionFailed", "The source is not as the request requires");
    }
}
