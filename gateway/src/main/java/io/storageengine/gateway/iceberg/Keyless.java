package io.storageengine.gateway.iceberg;

import io.storageengine.core.Failure;
import io.storageengine.core.Outcome;
import io.storageengine.core.message.CatalogReply;
import io.storageengine.gateway.door.Exchange;
import io.storageengine.gateway.door.Reply;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/// The answers about tables and views for who may only read: without keys of the storage. A node has one pair
/// of S3 keys, and it opens every bucket for writing: a right to read must not hand it out.
final class Keyless {
    /// Request headers that are not passed on for such a caller: no keys are asked of anybody, and the answer
    /// is a whole one that can be read here.
    static final Set<String> NOT_ASKED = Set.of("x-iceberg-access-delegation", "accept-encoding", "if-none-match");

    /// What a client may be told of the storage: where it is. Everything else may be a secret.
    private static final Set<String> TOLD = Set.of("s3.endpoint", "s3.path-style-access", "s3.region", "client.region");

    private Keyless() {}

    /// Whether the answer may hold keys: one about a table or a view (`LoadTableResult`, `LoadViewResult`,
    /// `PlanTableScanResult`).
    static boolean concerns(Exchange exchange, CatalogReply reply) {
        boolean inside = exchange.target().path().split("/", -1).length >= 8;
        return inside && reply.status() / 100 == 2 && reply.body().hasRemaining();
    }

    /// The answer without keys; `BUG` when it cannot be read: it is not shown then.
    static Outcome<Reply> of(CatalogReply reply) {
        try {
            JsonObject body = new JsonObject(Buffer.buffer(bytes(reply.body())));
            body.remove("storage-credentials");
            if (body.getValue("config") instanceof JsonObject config) body.put("config", told(config));
            else body.remove("config");
            Map<String, String> headers = new HashMap<>(reply.headers());
            headers.remove("content-length");
            // It stands for every byte of the whole answer: with it one who may write later would keep this one.
            headers.remove("etag");
            return Outcome.ok(new Reply(reply.status(), headers, body.toBuffer()));
        } catch (DecodeException | ClassCastException e) {
            return Outcome.failed(Failure.Kind.BUG, "an answer that cannot be freed of keys");
        }
    }

    private static JsonObject told(JsonObject config) {
        JsonObject told = new JsonObject();
        for (String name : config.fieldNames()) {
            if (TOLD.contains(name)) told.put(name, config.getValue(name));
        }
        return told;
    }

    private static byte[] bytes(ByteBuffer body) {
        byte[] bytes = new byte[body.remaining()];
        body.duplicate().get(bytes);
        return bytes;
    }
}
