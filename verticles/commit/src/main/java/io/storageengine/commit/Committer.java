package io.storageengine.commit;

import io.storageengine.core.Ask;
import io.storageengine.core.Clock;
import io.storageengine.core.Outcome;
import io.storageengine.core.message.CommitFiles;
import io.storageengine.core.message.CommittedFiles;
import io.storageengine.iceberg.TableFiles;
import java.util.List;
import java.util.random.RandomGenerator;

/// Runs one change after the other; what it needs is the same for all.
final class Committer {
    private final Ask ask;
    private final TableFiles files;
    private final Clock clock;
    private final RandomGenerator random;
    private final CommitOptions options;
    private final Upkeep upkeep = new Upkeep(this);

    Committer(Ask ask, TableFiles files, Clock clock, RandomGenerator random, CommitOptions options) {
        this.ask = ask;
        this.files = files;
        this.clock = clock;
        this.random = random;
        this.options = options;
    }

    Ask ask() {
        return ask;
    }

    TableFiles files() {
        return files;
    }

    Clock clock() {
        return clock;
    }

    RandomGenerator random() {
        return random;
    }

    CommitOptions options() {
        return options;
    }

    Upkeep upkeep() {
        return upkeep;
    }

    /// Commits several askers' files as one change; they are of one table and fit together.
    Outcome<CommittedFiles> commit(List<CommitFiles> commits) {
        Group group = new Group(Integer.MAX_VALUE, Integer.MAX_VALUE);
        for (CommitFiles commit : commits)
            if (!group.add(commit)) throw new IllegalArgumentException("commits that do not fit together");
        CommitFiles newest = commits.getLast();
        return new TableCommit(this, newest.table(), newest.tableUuid(), group).run();
    }
}
