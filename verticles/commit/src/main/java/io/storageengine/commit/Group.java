package io.storageengine.commit;

import io.storageengine.core.message.Claim;
import io.storageengine.core.message.CommitFiles;
import io.storageengine.core.message.Watermark;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Commits of one table that can be one change: decides who fits, and joins marks of one log that follow each
/// other.
final class Group {
    private final int commitsMax;
    private final int filesMax;
    private final List<String> files = new ArrayList<>();
    private final Map<String, Watermark> marks = new LinkedHashMap<>();
    private final List<Claim> claims = new ArrayList<>();
    private final Set<String> keys = new HashSet<>();
    private int commits;

    Group(int commitsMax, int filesMax) {
        this.commitsMax = commitsMax;
        this.filesMax = filesMax;
    }

    /// Takes a commit in when it fits; the first one always does.
    boolean add(CommitFiles commit) {
        if (commits > 0 && !fits(commit)) return false;
        commits++;
        files.addAll(commit.files());
        commit.watermarks().forEach(mark -> marks.merge(mark.log(), mark, Group::joined));
        claims.addAll(commit.claims());
        commit.claims().forEach(claim -> keys.add(claim.key()));
        return true;
    }

    private boolean fits(CommitFiles commit) {
        return commits < commitsMax
                && files.size() + commit.files().size() <= filesMax
                && commit.watermarks().stream().allMatch(this::follows)
                && commit.claims().stream().noneMatch(claim -> keys.contains(claim.key()));
    }

    private boolean follows(Watermark mark) {
        Watermark present = marks.get(mark.log());
        return present == null || present.next() == mark.expected();
    }

    private static Watermark joined(Watermark first, Watermark second) {
        return new Watermark(first.log(), first.expected(), second.next());
    }

    List<String> files() {
        return files;
    }

    List<Watermark> marks() {
        return List.copyOf(marks.values());
    }

    List<Claim> claims() {
        return claims;
    }
}
