package io.storageengine.ingest.session;

import io.storageengine.core.Failure;
import io.storageengine.core.FailureException;
import io.storageengine.core.message.AwaitRows;
import io.storageengine.core.message.CommittedRows;
import io.storageengine.ingest.table.OpenTable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Tells whether the rows of an answer's token are in a snapshot: the table's mark for the token's log has come
/// to its entry. Any node can tell.
public record CommittedToken(Desk desk) {
    private static final Pattern TOKEN = Pattern.compile("(.{1,300})\\.(\\d{1,18})");
    private static final long POLL_MILLIS = 25;

    /// @throws FailureException `INVALID` when it is no token, `NOT_FOUND` when there is no such table
    public CommittedRows await(AwaitRows wait) throws InterruptedException {
        Matcher token = TOKEN.matcher(wait.token());
        if (!token.matches()) throw new FailureException(Failure.Kind.INVALID, "A token comes from the answer to rows");
        String log = token.group(1);
        long position = Long.parseLong(token.group(2));
        long end = desk.clock().nanos() + wait.waitMillis() * 1_000_000;
        while (true) {
            OpenTable table = desk.tables().load(wait.table()).orThrow();
            if (table.marks().getOrDefault(log, 0L) >= position) return new CommittedRows(true, table.snapshotId());
            if (desk.clock().nanos() - end >= 0) return new CommittedRows(false, -1);
            desk.buffers().hasten(log, table.uuid());
            desk.clock().sleep(POLL_MILLIS);
        }
    }
}
