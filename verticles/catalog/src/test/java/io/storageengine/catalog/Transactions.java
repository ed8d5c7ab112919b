package io.storageengine.catalog;

import org.jspecify.annotations.Nullable;

/// Commits to several tables of the namespace `ns`, in the words of the REST specification.
final class Transactions {
    private Transactions() {}

    static String of(String... changes) {
        return "{\"table-changes\":[" + String.join(",", changes) + "]}";
    }

    /// One table's part.
    ///
    /// @param commit requirements and updates, as a commit to that table alone has them
    static String change(String table, String commit) {
        return "{\"identifier\":{\"namespace\":[\"ns\"],\"name\":\"" + table + "\"}," + commit.substring(1);
    }

    static String setProperty(String table, String name, String value) {
        return change(table, Samples.setProperty(name, value));
    }

    static String append(String table, long snapshotId, @Nullable Long parent, long sequence) {
        return change(table, Samples.append(snapshotId, parent, sequence, ""));
    }
}
