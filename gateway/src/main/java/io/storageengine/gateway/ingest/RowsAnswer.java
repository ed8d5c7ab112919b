package io.storageengine.gateway.ingest;

import io.storageengine.core.message.EndedRows;
import io.storageengine.gateway.door.Reply;
import io.storageengine.gateway.door.RestErrors;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.util.Map;

/// The HTTP answer to a request with rows.
final class RowsAnswer {
    private RowsAnswer() {}

    static Reply of(EndedRows ended) {
        JsonObject answer = new JsonObject(ended.answer());
        return ended.taken() ? taken(answer, ended.snapshotId()) : refused(answer);
    }

    private static Reply taken(JsonObject answer, long snapshotId) {
        if (snapshotId < 0) answer.putNull("snapshot-id");
        else answer.put("snapshot-id", snapshotId);
        return new Reply(200, Map.of("content-type", "application/json"), Buffer.buffer(answer.encode()));
    }

    private static Reply refused(JsonObject answer) {
        String message = answer.getLong("rejected-count", 0L) + " bad rows: the whole request was refused and"
                + " nothing of it was written; 'rejected' has the first of them, and on-error=skip takes the good rows";
        JsonObject body = RestErrors.body(400, "BadRequestException", message)
                .put("rejected-count", answer.getValue("rejected-count"))
                .put("rejected", answer.getValue("rejected"));
        return new Reply(400, RestErrors.headers(400), Buffer.buffer(body.encode()));
    }
}
