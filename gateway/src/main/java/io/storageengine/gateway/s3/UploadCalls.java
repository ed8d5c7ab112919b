package io.storageengine.gateway.s3;

import io.storageengine.core.store.ByteRange;
import io.storageengine.core.store.Content;
import io.storageengine.core.store.ObjectBody;
import io.storageengine.core.store.ObjectInfo;
import io.storageengine.core.store.ObjectStore;
import io.storageengine.core.store.Precondition;
import io.storageengine.core.store.PutOptions;
import io.storageengine.core.store.UploadInfo;
import io.storageengine.core.store.UploadedPart;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Multipart uploads.
final class UploadCalls {
    private static final int PAGE_MAX = 1_000;
    private static final int PARTS_MAX = 10_000;
    private static final long COMPLETE_BYTES_MAX = 8L << 20;
    private static final String AFTER_ALL = "\uffff";

    private final CopySource sources;
    private final Hidden hidden;

    UploadCalls(CopySource sources, Hidden hidden) {
        this.sources = sources;
        this.hidden = hidden;
    }

    void create(S3Call call, ObjectStore store) {
        Payload.of(call, 0).bytes();
        PutOptions options = new PutOptions(Precondition.NONE, Metadata.contentType(call), Metadata.ofRequest(call))
                .with(PutOptions.Etag.MD5);
        String id = store.createUpload(call.key(), options).orThrow();
        call.answer(Xml.document("InitiateMultipartUploadResult")
                .leaf("Bucket", call.bucket())
                .leaf("Key", call.key())
                .leaf("UploadId", id)
                .close("InitiateMultipartUploadResult"));
    }

    void part(S3Call call, ObjectStore store) throws IOException {
        int number = call.number("partNumber", 0, 1, PARTS_MAX + 1);
        if (number < 1 || number > PARTS_MAX) throw S3Errors.refusal("InvalidArgument", "partNumber is 1 to 10,000");
        if (!call.header(CopySource.HEADER).isEmpty()) {
            copyPart(call, store, number);
            return;
        }
        Payload payload = Payload.of(call, Payload.OBJECT_BYTES_MAX);
        UploadedPart part = store.uploadPart(call.key(), call.param("uploadId"), number, payload.content())
                .orThrow();
        Map<String, String> headers = new HashMap<>(payload.checksums());
        headers.put("etag", "\"" + part.etag() + "\"");
        call.answer(200, headers);
    }

    private void copyPart(S3Call call, ObjectStore store, int number) throws IOException {
        String header = call.header("x-amz-copy-source-range");
        ByteRange range = header.isEmpty()
                ? ByteRange.ALL
                : Range.parse(header)
                        .orElseThrow(() -> S3Errors.refusal("InvalidArgument", "The range is bytes=first-last"));
        try (ObjectBody body = sources.open(call, range)) {
            Content content = new Content.Stream(body.length(), body.stream());
            UploadedPart part = store.uploadPart(call.key(), call.param("uploadId"), number, content)
                    .orThrow();
            call.answer(Xml.document("CopyPartResult")
                    .leaf("LastModified", Times.iso(part.lastModified()))
                    .leaf("ETag", "\"" + part.etag() + "\"")
                    .close("CopyPartResult"));
        }
    }

    void complete(S3Call call, ObjectStore store) {
        List<UploadedPart> parts =
                XmlRequests.parts(Payload.of(call, COMPLETE_BYTES_MAX).bytes());
        ObjectInfo info = store.completeUpload(call.key(), call.param("uploadId"), parts, Conditions.ofWrite(call))
                .orThrow();
        call.answer(Xml.document("CompleteMultipartUploadResult")
                .leaf("Location", "/" + call.bucket() + "/" + call.key())
                .leaf("Bucket", call.bucket())
                .leaf("Key", call.key())
                .leaf("ETag", "\"" + info.etag() + "\"")
                .close("CompleteMultipartUploadResult"));
    }

    void abort(S3Call call, ObjectStore store) {
        store.abortUpload(call.key(), call.param("uploadId")).orThrow();
        call.answer(204, Map.of());
    }

    void listParts(S3Call call, ObjectStore store) {
        int max = call.number("max-parts", PAGE_MAX, 1, PAGE_MAX);
        int marker = call.number("part-number-marker", 0, 0, PARTS_MAX);
        String uploadId = call.param("uploadId");
        List<UploadedPart> parts =
                store.listParts(call.key(), uploadId, marker, max + 1).orThrow();
        List<UploadedPart> shown = parts.subList(0, Math.min(max, parts.size()));
        Xml xml = Xml.document("ListPartsResult")
                .leaf("Bucket", call.bucket())
                .leaf("Key", call.key())
                .leaf("UploadId", uploadId)
                .leaf("PartNumberMarker", marker)
                .leaf(
                        "NextPartNumberMarker",
                        shown.isEmpty() ? 0 : shown.getLast().number())
                .leaf("MaxParts", max)
                .leaf("IsTruncated", parts.size() > max)
                .leaf("StorageClass", "STANDARD");
        for (UploadedPart part : shown) {
            xml.open("Part")
                    .leaf("PartNumber", part.number())
                    .leaf("LastModified", Times.iso(part.lastModified()))
                    .leaf("ETag", "\"" + part.etag() + "\"")
                    .leaf("Size", part.sizeBytes())
                    .close("Part");
        }
        call.answer(xml.close("ListPartsResult"));
    }

    void list(S3Call call, ObjectStore store) {
        int max = call.number("max-uploads", PAGE_MAX, 1, PAGE_MAX);
        String key = call.param("key-marker");
        String id = call.param("upload-id-marker");
        List<UploadInfo> uploads = store.listUploads(
                        call.param("prefix"), key, id.isEmpty() && !key.isEmpty() ? AFTER_ALL : id, max + 1)
                .orThrow();
        List<UploadInfo> shown = uploads.subList(0, Math.min(max, uploads.size()));
        Xml xml = Xml.document("ListMultipartUploadsResult")
                .leaf("Bucket", call.bucket())
                .leaf("KeyMarker", key)
                .leaf("UploadIdMarker", id)
                .leaf("Prefix", call.param("prefix"))
                .leaf("MaxUploads", max)
                .leaf("IsTruncated", uploads.size() > max);
        if (uploads.size() > max) {
            xml.leaf("NextKeyMarker", shown.getLast().key())
                    .leaf("NextUploadIdMarker", shown.getLast().uploadId());
        }
        for (UploadInfo upload : hidden.visible(call.bucket(), shown, UploadInfo::key)) {
            xml.open("Upload")
                    .leaf("Key", upload.key())
                    .leaf("UploadId", upload.uploadId())
                    .leaf("Initiated", Times.iso(upload.initiated()))
                    .close("Upload");
        }
        call.answer(xml.close("ListMultipartUploadsResult"));
    }
}
