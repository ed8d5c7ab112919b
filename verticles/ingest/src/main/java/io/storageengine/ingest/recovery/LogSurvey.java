package io.storageengine.ingest.recovery;

import io.storageengine.core.Outcome;
import io.storageengine.core.store.ListPage;
import io.storageengine.core.store.ListRequest;
import io.storageengine.core.store.ObjectInfo;
import io.storageengine.core.store.ObjectStore;
import io.storageengine.ingest.wal.OpenLog;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;

/// Finds the write-ahead logs of a cluster storage that may have rows which are in no table.
final class LogSurvey {
    static final String ROOT = "wal/";

    private LogSurvey() {}

    /// Ids of logs that are not known to be done, by catalog: one LIST per thousand objects.
    static Outcome<Map<String, Set<String>>> logs(ObjectStore store) {
        Map<String, Set<String>> logs = new TreeMap<>();
        Set<String> done = new HashSet<>();
        ListRequest request = ListRequest.of(ROOT);
        while (true) {
            Outcome<ListPage> page = store.list(request);
            if (!page.isOk()) return page.map(never -> logs);
            for (ObjectInfo object : page.orThrow().objects()) note(object.key(), logs, done);
            if (page.orThrow().isLast()) break;
            request = request.after(page.orThrow().next());
        }
        logs.forEach((catalog, ids) -> ids.removeIf(id -> done.contains(catalog + "/" + id)));
        logs.values().removeIf(Set::isEmpty);
        return Outcome.ok(logs);
    }

    private static void note(String key, Map<String, Set<String>> logs, Set<String> done) {
        String[] parts = key.substring(ROOT.length()).split("/", 3);
        if (parts.length < 3) return;
        Function<String, Set<String>> none = catalog -> new TreeSet<>();
        logs.computeIfAbsent(parts[0], none).add(parts[1]);
        if (parts[2].equals(OpenLog.DONE)) done.add(parts[0] + "/" + parts[1]);
    }
}
