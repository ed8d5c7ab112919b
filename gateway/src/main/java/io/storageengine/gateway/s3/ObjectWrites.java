package io.storageengine.gateway.s3;

import io.storageengine.core.Failure;
import io.storageengine.core.store.ByteRange;
import io.storageengine.core.store.Content;
import io.storageengine.core.store.DeleteFault;
import io.storageengine.core.store.ObjectBody;
import io.storageengine.core.store.ObjectInfo;
import io.storageengine.core.store.ObjectStore;
import io.storageengine.core.store.PutOptions;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// PUT, copy and DELETE of objects.
final class ObjectWrites {
    private static final long DELETE_BYTES_MAX = 4L << 20;

    /// Read whole before they are written: the store can repeat its request, and trailing checksums are known.
    private static final long SMALL_BYTES_MAX = 256L << 10;

    private final CopySource sources;
    private final Hidden hidden;

    ObjectWrites(CopySource sources, Hidden hidden) {
        this.sources = sources;
        this.hidden = hidden;
    }

    void put(S3Call call, ObjectStore store) throws IOException {
        if (!call.header(CopySource.HEADER).isEmpty()) {
            copy(call, store);
            return;
        }
        Payload payload = Payload.of(call, Payload.OBJECT_BYTES_MAX);
        Map<String, String> metadata = Metadata.ofRequest(call);
        boolean small = payload.length() <= SMALL_BYTES_MAX;
        Content content = small ? Content.of(payload.bytes()) : payload.content();
        metadata.putAll(Metadata.ofChecksums(small ? payload.checksums() : payload.checksumsOfHead()));
        PutOptions options = new PutOptions(Conditions.ofWrite(call), Metadata.contentType(call), metadata)
                .with(PutOptions.Etag.MD5)
                .withLateMetadata(() -> Metadata.ofChecksums(payload.checksumsOfTrailer()));
        ObjectInfo info = store.put(call.key(), content, options).orThrow();
        Map<String, String> headers = new HashMap<>(payload.checksums());
        headers.put("etag", "\"" + info.etag() + "\"");
        call.answer(200, headers);
    }

    private void copy(S3Call call, ObjectStore store) throws IOException {
        boolean replaces = replaces(call);
        CopySource.Name source = CopySource.name(call);
        if (!replaces && source.bucket().equals(call.bucket()) && source.key().equals(call.key())) {
            throw S3Errors.refusal("InvalidRequest", "A copy onto itself changes nothing without REPLACE");
        }
        try (ObjectBody body = sources.open(call, ByteRange.ALL)) {
            Map<String, String> metadata = new HashMap<>(
                    replaces ? Metadata.ofRequest(call) : body.info().metadata());
            metadata.putAll(Metadata.checksumsOf(body.info()));
            String type = replaces ? Metadata.contentType(call) : body.info().contentType();
            PutOptions options = new PutOptions(Conditions.ofWrite(call), type, metadata).with(PutOptions.Etag.MD5);
            ObjectInfo info = store.put(call.key(), new Content.Stream(body.length(), body.stream()), options)
                    .orThrow();
            call.answer(Xml.document("CopyObjectResult")
                    .leaf("LastModified", Times.iso(info.lastModified()))
                    .leaf("ETag", "\"" + info.etag() + "\"")
                    .close("CopyObjectResult"));
        }
    }

    private static boolean replaces(S3Call call) {
        return switch (call.header("x-amz-metadata-directive")) {
            case "", "COPY" -> false;
            case "REPLACE" -> true;
            default -> throw S3Errors.refusal("InvalidArgument", "x-amz-metadata-directive is COPY or REPLACE");
        };
    }

    void delete(S3Call call, ObjectStore store) {
        store.delete(call.key()).orThrow();
        call.answer(204, Map.of());
    }

    void deleteAll(S3Call call, ObjectStore store) {
        XmlRequests.Deletion deletion =
                XmlRequests.deletion(Payload.of(call, DELETE_BYTES_MAX).bytes());
        List<String> allowed = new ArrayList<>();
        Map<String, Failure> faults = new HashMap<>();
        for (XmlRequests.Doomed doomed : deletion.objects()) {
            refusal(call, doomed)
                    .ifPresentOrElse(failure -> faults.put(doomed.key(), failure), () -> allowed.add(doomed.key()));
        }
        for (DeleteFault fault : store.deleteAll(allowed).orThrow()) faults.put(fault.key(), fault.failure());
        call.answer(deleted(deletion, faults));
    }

    private Optional<Failure> refusal(S3Call call, XmlRequests.Doomed doomed) {
        if (Hidden.isReserved(doomed.key()) || hidden.hides(call.bucket(), doomed.key())) {
            return Optional.of(S3Errors.failure("AccessDenied", "This key is the engine's own"));
        }
        boolean plain = doomed.versionId().isEmpty() || doomed.versionId().equals("null");
        return plain
                ? Optional.empty()
                : Optional.of(S3Errors.failure("NoSuchVersion", "There are no versions here but 'null'"));
    }

    private static Xml deleted(XmlRequests.Deletion deletion, Map<String, Failure> faults) {
        Xml xml = Xml.document("DeleteResult");
        for (XmlRequests.Doomed doomed : deletion.objects()) {
            Failure fault = faults.get(doomed.key());
            if (fault != null) {
                xml.open("Error")
                        .leaf("Key", doomed.key())
                        .leaf("Code", S3Errors.code(fault))
                        .leaf("Message", S3Errors.message(fault))
                        .close("Error");
            } else if (!deletion.quiet()) {
                xml.open("Deleted").leaf("Key", doomed.key()).close("Deleted");
            }
        }
        return xml.close("DeleteResult");
    }
}
