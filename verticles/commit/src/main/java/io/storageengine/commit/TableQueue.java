package io.storageengine.commit;

import io.storageengine.core.Failure;
import io.storageengine.core.Outcome;
import io.storageengine.core.message.CommitFiles;
import io.storageengine.core.message.CommittedFiles;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The commits of one table: one at a time, and whoever has the turn takes along all that wait and fit.
final class TableQueue {
    private static final Logger LOG = LoggerFactory.getLogger(TableQueue.class);
    private final ReentrantLock turn = new ReentrantLock(true);
    private final Deque<Waiting> waiting = new ArrayDeque<>();
    private final Committer committer;
    private final CommitOptions options;
    private int users;

    /// One asker's commit and, once decided, what became of it.
    private static final class Waiting {
        private final CommitFiles commit;
        private volatile @Nullable Outcome<CommittedFiles> outcome;

        Waiting(CommitFiles commit) {
            this.commit = commit;
        }
    }

    TableQueue(Committer committer, CommitOptions options) {
        this.committer = committer;
        this.options = options;
    }

    /// Counts a user; called under the map's lock, as [#left] is.
    TableQueue joined() {
        users++;
        return this;
    }

    /// Whether nobody uses the queue any more.
    boolean left() {
        return --users == 0;
    }

    Outcome<CommittedFiles> commit(CommitFiles commit) {
        Waiting mine = new Waiting(commit);
        if (!enter(mine))
            return Outcome.failed(
                    Failure.Kind.THROTTLED,
                    "Too many commits wait for " + commit.table().display() + ": try again later");
        while (true) {
            turn.lock();
            try {
                Outcome<CommittedFiles> decided = mine.outcome;
                if (decided != null) return decided;
                run(takeGroup());
            } finally {
                turn.unlock();
            }
        }
    }

    int waiting() {
        synchronized (waiting) {
            return waiting.size();
        }
    }

    private boolean enter(Waiting mine) {
        synchronized (waiting) {
            return waiting.size() < options.waitingMax() && waiting.add(mine);
        }
    }

    private List<Waiting> takeGroup() {
        Group group = new Group(options.groupMax(), options.groupFilesMax());
        List<Waiting> taken = new ArrayList<>();
        synchronized (waiting) {
            while (!waiting.isEmpty() && group.add(waiting.element().commit)) taken.add(waiting.remove());
        }
        return taken;
    }

    private void run(List<Waiting> group) {
        Outcome<CommittedFiles> together = commit(group);
        if (group.size() > 1 && isOnesFault(together)) {
            for (Waiting each : group) each.outcome = commit(List.of(each));
        } else {
            for (Waiting each : group) each.outcome = ownPart(each, together);
        }
    }

    private Outcome<CommittedFiles> commit(List<Waiting> group) {
        try {
            return committer.commit(group.stream().map(each -> each.commit).toList());
        } catch (RuntimeException bug) {
            LOG.error("A commit broke off", bug);
            return Outcome.failed(Failure.Kind.UNKNOWN, "The commit broke off: look before it is tried again");
        }
    }

    /// Failures that one commit of a group brings on all: apart, only the offender gets it.
    private static boolean isOnesFault(Outcome<CommittedFiles> outcome) {
        return outcome instanceof Outcome.Failed<CommittedFiles>(Failure failure)
                && switch (failure.kind()) {
                    case INVALID, CONFLICT, CORRUPT, BUG -> true;
                    case UNAUTHENTICATED, FORBIDDEN, NOT_FOUND, EXISTS, THROTTLED, UNAVAILABLE, UNKNOWN -> false;
                };
    }

    private static Outcome<CommittedFiles> ownPart(Waiting each, Outcome<CommittedFiles> together) {
        return each.commit.files().isEmpty() ? together.map(done -> new CommittedFiles(-1)) : together;
    }
}
