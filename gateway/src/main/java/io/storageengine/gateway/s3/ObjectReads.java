package io.storageengine.gateway.s3;

import io.storageengine.core.Failure;
import io.storageengine.core.Outcome;
import io.storageengine.core.store.ByteRange;
import io.storageengine.core.store.ObjectBody;
import io.storageengine.core.store.ObjectInfo;
import io.storageengine.core.store.ObjectStore;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// GET and HEAD of an object.
final class ObjectReads {
    private static final String OVERRIDE = "response-";

    void head(S3Call call, ObjectStore store) {
        ObjectInfo info = store.head(call.key()).orThrow();
        if (!goesOn(call, info)) return;
        Map<String, String> headers = headers(call, info, true);
        headers.put("content-length", Long.toString(info.sizeBytes()));
        call.answer(200, headers);
    }

    void get(S3Call call, ObjectStore store) throws IOException {
        Conditions conditions = Conditions.of(call);
        if (!conditions.isEmpty() && !goesOn(call, store.head(call.key()).orThrow())) return;
        Optional<ByteRange> range = Range.parse(call.header("range"));
        Outcome<ObjectBody> opened = store.get(call.key(), range.orElse(ByteRange.ALL));
        if (opened.failedWith(Failure.Kind.INVALID) && range.isPresent()) {
            outOfRange(call, store, opened);
            return;
        }
        try (ObjectBody body = opened.orThrow()) {
            send(call, body, range.isPresent());
        }
    }

    private static void send(S3Call call, ObjectBody body, boolean partial) throws IOException {
        long size = body.info().sizeBytes();
        Map<String, String> headers = headers(call, body.info(), !partial);
        if (partial) {
            long last = body.first() + body.length() - 1;
            headers.put("content-range", "bytes " + body.first() + "-" + last + "/" + size);
        }
        call.answer(partial ? 206 : 200, headers, body.length(), body.stream());
    }

    private static void outOfRange(S3Call call, ObjectStore store, Outcome<ObjectBody> failed) {
        long size = store.head(call.key()).orThrow().sizeBytes();
        if (!(failed instanceof Outcome.Failed<ObjectBody>(Failure failure))
                || !failure.code().equals("InvalidRange")) {
            failed.orThrow();
            return;
        }
        Xml xml = Xml.plain("Error")
                .leaf("Code", "InvalidRange")
                .leaf("Message", failure.message())
                .leaf("ActualObjectSize", size)
                .leaf("RequestId", call.exchange().id())
                .close("Error");
        call.answer(416, xml, Map.of("content-range", "bytes */" + size));
    }

    /// False when the conditions have answered.
    private static boolean goesOn(S3Call call, ObjectInfo info) {
        return switch (Conditions.of(call).of(info)) {
            case GO -> true;
            case NOT_MODIFIED -> {
                Map<String, String> headers = Metadata.headers(info, false);
                headers.remove("content-type");
                call.answer(304, headers);
                yield false;
            }
            case FAILED -> throw S3Errors.refusal("PreconditionFailed", "The object is not as the request requires");
        };
    }

    /// @param whole checksums are those of the whole object, so a part of it is answered without
    private static Map<String, String> headers(S3Call call, ObjectInfo info, boolean whole) {
        boolean checksums = whole && call.header("x-amz-checksum-mode").equalsIgnoreCase("ENABLED");
        Map<String, String> headers = new HashMap<>(Metadata.headers(info, checksums));
        call.query().forEach((name, value) -> {
            if (name.startsWith(OVERRIDE)) headers.put(name.substring(OVERRIDE.length()), value);
        });
        return headers;
    }
}
