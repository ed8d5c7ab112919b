package io.storageengine.commit;

import io.storageengine.core.Ask;
import io.storageengine.core.Clock;
import io.storageengine.core.Failure;
import io.storageengine.core.Outcome;
import io.storageengine.core.message.Answer;
import io.storageengine.core.message.CommitFiles;
import io.storageengine.core.message.CommittedFiles;
import io.storageengine.core.message.Question;
import io.storageengine.iceberg.TableFiles;
import java.util.concurrent.ConcurrentHashMap;
import java.util.random.RandomGenerator;

/// The commit room's core: answers [CommitFiles], one table's turn after the other, all tables at once.
///
/// Thread-safe; a call blocks its virtual thread until the commit is decided or its deadline has passed.
public final class CommitService {
    private final ConcurrentHashMap<TableKey, TableQueue> queues = new ConcurrentHashMap<>();
    private final Committer committer;
    private final CommitOptions options;

    /// A table, whatever its name is now.
    private record TableKey(String catalog, String uuid) {}

    public CommitService(Ask ask, TableFiles files, Clock clock, RandomGenerator random, CommitOptions options) {
        this.committer = new Committer(ask, files, clock, random, options);
        this.options = options;
    }

    public Outcome<? extends Answer> answer(Question<?> question) {
        if (question instanceof CommitFiles commit) return commit(commit);
        return Outcome.failed(
                Failure.Kind.BUG,
                "Not for the commit room: " + question.getClass().getSimpleName());
    }

    private Outcome<CommittedFiles> commit(CommitFiles commit) {
        TableKey table = new TableKey(commit.catalog(), commit.tableUuid());
        TableQueue queue = queues.compute(
                table, (key, present) -> (present == null ? new TableQueue(committer, options) : present).joined());
        try {
            return queue.commit(commit);
        } finally {
            queues.computeIfPresent(table, (key, present) -> present.left() ? null : present);
        }
    }

    /// Whether that many commits wait for a table's turn.
    boolean isWaiting(String catalog, String uuid, int count) {
        TableQueue queue = queues.get(new TableKey(catalog, uuid));
        return queue != null && queue.waiting() == count;
    }
}
