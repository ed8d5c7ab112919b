package io.storageengine.ingest.session;

import io.storageengine.core.Failure;
import io.storageengine.core.Outcome;
import io.storageengine.core.message.EndedRows;
import io.storageengine.core.message.RowOptions;
import io.storageengine.core.message.TableRef;
import java.io.IOException;
import java.io.InputStream;

/// A request that was taken before, sent again: its body is read only to see that it is the same.
record Repeat(Desk desk, TableRef ref, RowOptions options, Keys.Taken taken) {
    Outcome<EndedRows> run(InputStream sent) throws InterruptedException {
        try (BodyMeter body = new BodyMeter(
                Bodies.decoded(sent, options.encoding()), Long.MAX_VALUE, true, Request.identity(ref, options))) {
            body.drain();
            return body.hash().equals(taken.hash()) ? answer() : other();
        } catch (IOException broken) {
            return Outcome.failed(Bodies.failure(broken));
        }
    }

    private Outcome<EndedRows> answer() throws InterruptedException {
        if (options.ack() == RowOptions.Ack.DURABLE) return Outcome.ok(new EndedRows(true, taken.answer(), -1));
        return new CommitWait(desk, ref, taken.tableUuid(), options.idempotencyKey())
                .await(taken.committed(), taken.answer())
                .map(snapshot -> new EndedRows(true, taken.answer(), snapshot));
    }

    private Outcome<EndedRows> other() {
        return Outcome.failed(
                Failure.Kind.INVALID,
                "IdempotencyKeyReused",
                "Another request was sent with this Idempotency-Key: use a new key for new rows");
    }
}
