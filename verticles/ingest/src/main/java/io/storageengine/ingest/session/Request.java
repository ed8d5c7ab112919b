package io.storageengine.ingest.session;

import io.storageengine.core.Failure;
import io.storageengine.core.FailureException;
import io.storageengine.core.Outcome;
import io.storageengine.core.message.EndedRows;
import io.storageengine.core.message.RowOptions;
import io.storageengine.core.message.TableRef;
import io.storageengine.ingest.channel.RowsTurn;
import io.storageengine.ingest.encode.ParquetEncoder;
import io.storageengine.ingest.rows.Rereadable;
import io.storageengine.ingest.rows.RowBatch;
import io.storageengine.ingest.rows.RowFaults;
import io.storageengine.ingest.rows.RowReader;
import io.storageengine.ingest.rows.RowTypes;
import io.storageengine.ingest.rows.SchemaInference;
import io.storageengine.ingest.table.Arrival;
import io.storageengine.ingest.table.OpenTable;
import io.storageengine.ingest.wal.Block;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.arrow.memory.OutOfMemoryException;
import org.apache.iceberg.Schema;
import org.jspecify.annotations.Nullable;

/// One request's rows from the first byte of its body to its answer; runs on one thread.
///
/// @param place the key's place when the request has a key and the place is its own: decided here, always
/// @param table the table; null when it is to be made
record Request(
        Desk desk,
        Tenant tenant,
        TableRef ref,
        RowOptions options,
        Keys.@Nullable Entry place,
        @Nullable OpenTable table) {
    /// Why a table's rows cannot be taken at all.
    static Optional<Failure> refusal(OpenTable table) {
        return RowTypes.refusal(table.metadata().schema())
                .or(() -> ParquetEncoder.refusal(
                        table.metadata().schema(),
                        table.metadata().spec(),
                        table.metadata().properties()))
                .map(why -> new Failure(
                        Failure.Kind.INVALID, "No rows for " + table.ref().display() + ": " + why));
    }

    /// What makes a request what it is, besides its body.
    static String identity(TableRef ref, RowOptions options) {
        return ref.display() + "\n" + options.format() + "\n" + options.onError() + "\n";
    }

    /// Reads the body to its end and takes it.
    Outcome<EndedRows> run(InputStream sent) throws InterruptedException {
        try (Hold hold = new Hold(desk.memory());
                BodyMeter body = meter(sent)) {
            if (table == null) return takeFirst(body, hold);
            Destination destination = new Destination.Existing(table);
            if (options.channel().isEmpty()) return take(body, body, destination, hold, null);
            try (RowsTurn turn = turn(table, options.channel().get())) {
                return take(body, body, destination, hold, turn);
            }
        } catch (IOException broken) {
            return Outcome.failed(Bodies.failure(broken));
        } catch (FailureException failed) {
            return Outcome.failed(failed.failure());
        } finally {
            if (place != null) place.release();
        }
    }

    private RowsTurn turn(OpenTable into, RowOptions.InChannel in) throws InterruptedException {
        return RowsTurn.enter(
                tenant.channels(),
                into,
                in.name(),
                in.epoch(),
                OptionalLong.of(in.offset()),
                desk.options().logMillis());
    }

    private BodyMeter meter(InputStream sent) throws IOException {
        boolean isWhole = options.onError() == RowOptions.OnError.REFUSE;
        return new BodyMeter(
                Bodies.decoded(sent, options.encoding()),
                isWhole ? desk.options().atomicBytesMax() : Long.MAX_VALUE,
                place != null,
                identity(ref, options));
    }

    /// Takes the first rows of a table.
    private Outcome<EndedRows> takeFirst(BodyMeter body, Hold hold) throws IOException, InterruptedException {
        try (Rereadable read = new Rereadable(body, hold)) {
            Schema schema = SchemaInference.infer(
                            read, options.format(), desk.options().limits())
                    .orThrow();
            if (schema.columns().isEmpty()) {
                read.beginning();
                try (RowReader rows = open(read, schema, hold)) {
                    return nothing(body, rows);
                }
            }
            read.again();
            try (NewTable table = new NewTable(desk, ref, schema)) {
                Outcome<EndedRows> outcome = take(body, read, table, hold, null);
                if (!NewTable.isOther(outcome) || !read.isKept()) return outcome;
                read.again();
                return take(body, read, new Destination.Existing(table.other()), hold, null);
            }
        }
    }

    /// In the beginning of the body no row has a field, or all are bad: says which.
    private static Outcome<EndedRows> nothing(BodyMeter body, RowReader rows) throws IOException {
        for (RowBatch batch = rows.next(Integer.MAX_VALUE, 1); batch != null; ) {
            batch.close();
            batch = rows.next(Integer.MAX_VALUE, 1);
        }
        body.drain();
        RowFaults faults = rows.faults();
        return faults.rows() == 0 ? Outcome.failed(SchemaInference.none()) : refused(faults);
    }

    private static Outcome<EndedRows> refused(RowFaults faults) {
        return Outcome.ok(new EndedRows(false, RowsAnswer.json(0, faults), -1));
    }

    private Outcome<EndedRows> take(
            BodyMeter body, InputStream read, Destination destination, Hold hold, @Nullable RowsTurn turn)
            throws InterruptedException {
        boolean isPiecemeal = options.onError() == RowOptions.OnError.SKIP && place == null && turn == null;
        try (Intake intake = new Intake(desk, tenant, destination, isPiecemeal, place, turn)) {
            try (RowReader rows = open(read, destination.schema(), hold)) {
                return turn == null ? take(body, rows, intake) : take(body, rows, intake, turn);
            } catch (OutOfMemoryException tight) {
                return partly(intake, new Failure(Failure.Kind.THROTTLED, "No memory for more rows: try again later"));
            } catch (FailureException failed) {
                return partly(intake, failed.failure());
            } catch (IOException broken) {
                return partly(intake, Bodies.failure(broken));
            }
        }
    }

    private RowReader open(InputStream body, Schema schema, Hold hold) {
        return RowReader.open(
                body,
                options.format(),
                options.onError(),
                schema,
                desk.options().limits(),
                desk.memory().columns(),
                hold);
    }

    private Outcome<EndedRows> take(BodyMeter body, RowReader rows, Intake intake)
            throws IOException, InterruptedException {
        intake.read(rows);
        body.drain();
        RowFaults faults = rows.faults();
        boolean isRefused = options.onError() == RowOptions.OnError.REFUSE || (table == null && intake.rows() == 0);
        if (faults.rows() > 0 && isRefused) return refused(faults);
        String answer = RowsAnswer.json(intake.rows(), faults);
        intake.finish(key(body, answer), Optional.empty());
        return answered(intake, answer);
    }

    /// Rows of a channel: those that came before are passed over.
    private Outcome<EndedRows> take(BodyMeter body, RowReader rows, Intake intake, RowsTurn turn)
            throws IOException, InterruptedException {
        rows.skip(turn.repeated());
        long faultsBefore = rows.faults().rows();
        intake.read(rows);
        body.drain();
        RowFaults faults = rows.faults();
        if (faults.rows() > 0 && options.onError() == RowOptions.OnError.REFUSE) return refused(faults);
        Optional<Block.ChannelPart> part = turn.part(rows.rows(), faults.rows() - faultsBefore);
        String answer = RowsAnswer.json(
                intake.rows(),
                faults,
                Math.min(rows.rows(), turn.repeated()),
                part.map(Block.ChannelPart::to).orElse(turn.next()));
        intake.finish(Optional.empty(), part);
        if (part.isPresent()) return answered(intake, answer);
        turn.awaitDurable(turn.next() - turn.repeated() + rows.rows());
        if (options.ack() == RowOptions.Ack.DURABLE)
            return Outcome.ok(new EndedRows(true, Block.withToken(answer, ""), -1));
        turn.awaitCommitted();
        return desk.tables().load(ref).map(now -> new EndedRows(true, Block.withToken(answer, ""), now.snapshotId()));
    }

    private Optional<Block.RequestKey> key(BodyMeter body, String answer) {
        return place == null
                ? Optional.empty()
                : Optional.of(new Block.RequestKey(options.idempotencyKey(), body.hash(), answer));
    }

    /// A request that failed after some of its rows were taken has written something.
    private static Outcome<EndedRows> partly(Intake intake, Failure failure) {
        if (intake.loggedRows() == 0) return Outcome.failed(failure);
        return Outcome.failed(
                Failure.Kind.UNKNOWN,
                failure.code(),
                failure.message() + " (the first " + intake.loggedRows() + " good rows are taken)");
    }

    private Outcome<EndedRows> answered(Intake intake, String answer) throws InterruptedException {
        Arrival last = intake.last();
        if (last == null) return Outcome.ok(new EndedRows(true, Block.withToken(answer, ""), -1));
        String token = last.logged().join().orThrow().token();
        String whole = Block.withToken(answer, token);
        if (options.ack() == RowOptions.Ack.DURABLE) return Outcome.ok(new EndedRows(true, whole, -1));
        intake.arrivals().forEach(desk.buffers()::hasten);
        CommitWait wait =
                new CommitWait(desk, ref, last.block().tableUuid(), place == null ? "" : options.idempotencyKey());
        Outcome<Long> snapshot = Outcome.ok(-1L);
        for (Arrival arrival : intake.arrivals())
            if (snapshot.isOk()) snapshot = wait.await(arrival.committed(), token);
        return snapshot.map(id -> new EndedRows(true, whole, id));
    }
}
