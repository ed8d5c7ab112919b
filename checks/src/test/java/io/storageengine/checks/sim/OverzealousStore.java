package io.storageengine.checks.sim;

import io.storageengine.core.Outcome;
import io.storageengine.core.store.DeleteFault;
import java.util.List;
import java.util.Locale;

/// Whenever a metadata file is deleted, the one that follows it goes too.
final class OverzealousStore extends SimStore {
    private final SimDisk disk;

    OverzealousStore(SimDisk disk, SimProcess process, long retentionMillis) {
        super(disk, process, retentionMillis);
        this.disk = disk;
    }

    @Override
    public Outcome<List<DeleteFault>> deleteAll(List<String> keys) {
        keys.stream().filter(key -> key.endsWith(".metadata.json")).forEach(this::deleteNext);
        return super.deleteAll(keys);
    }

    private void deleteNext(String key) {
        int name = key.lastIndexOf('/') + 1;
        int version = Integer.parseInt(key.substring(name, name + 5));
        String next = key.substring(0, name) + String.format(Locale.ROOT, "%05d-", version + 1);
        disk.objects().keySet().removeIf(other -> other.startsWith(next));
    }
}
