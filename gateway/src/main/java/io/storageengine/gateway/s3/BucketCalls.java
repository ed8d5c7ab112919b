package io.storageengine.gateway.s3;

import io.storageengine.core.store.BucketInfo;
import io.storageengine.core.store.Buckets;
import io.storageengine.gateway.door.Routes;
import java.util.Map;
import java.util.regex.Pattern;

/// The operations on buckets themselves.
final class BucketCalls {
    private static final long CONFIGURATION_BYTES_MAX = 64 << 10;
    private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]");
    private static final Pattern ADDRESS = Pattern.compile("[0-9]+(\\.[0-9]+){3}");

    private final Buckets buckets;
    private final Hidden hidden;

    BucketCalls(Buckets buckets, Hidden hidden) {
        this.buckets = buckets;
        this.hidden = hidden;
    }

    void list(S3Call call) {
        Xml xml = Xml.document("ListAllMyBucketsResult")
                .open("Owner")
                .leaf("ID", call.verified().keyId())
                .leaf("DisplayName", call.verified().keyId())
                .close("Owner")
                .open("Buckets");
        for (BucketInfo bucket : buckets.list().orThrow()) {
            if (hidden.hidesBucket(bucket.name())) continue;
            xml.open("Bucket")
                    .leaf("Name", bucket.name())
                    .leaf("CreationDate", Times.iso(bucket.created()))
                    .close("Bucket");
        }
        call.answer(xml.close("Buckets").close("ListAllMyBucketsResult"));
    }

    void head(S3Call call) {
        buckets.head(call.bucket()).orThrow();
        call.answer(200, Map.of("x-amz-bucket-region", "us-east-1"));
    }

    void create(S3Call call) {
        Payload.of(call, CONFIGURATION_BYTES_MAX).bytes();
        String name = call.bucket();
        boolean good = NAME.matcher(name).matches()
                && !name.contains("..")
                && !ADDRESS.matcher(name).matches();
        if (!good || Routes.RESERVED.contains(name)) {
            throw S3Errors.refusal("InvalidBucketName", "This name is not one for a bucket: " + name);
        }
        buckets.create(name).orThrow();
        call.answer(200, Map.of("location", "/" + name));
    }

    void delete(S3Call call) {
        buckets.delete(call.bucket()).orThrow();
        call.answer(204, Map.of());
    }

    void location(S3Call call) {
        buckets.head(call.bucket()).orThrow();
        call.answer(Xml.document("LocationConstraint").close("LocationConstraint"));
    }

    /// Never was versioned: the empty answer.
    void versioning(S3Call call) {
        buckets.head(call.bucket()).orThrow();
        call.answer(Xml.document("VersioningConfiguration").close("VersioningConfiguration"));
    }
}
