package io.storageengine.catalog;

import io.storageengine.catalog.registry.CatalogConfig;
import io.storageengine.catalog.registry.CatalogId;
import io.storageengine.catalog.registry.Registration;
import io.storageengine.catalog.registry.Registry;
import io.storageengine.core.Clock;
import io.storageengine.core.Failure;
import io.storageengine.core.FailureException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/// The catalogs at work in this process. A catalog is opened once, at the first question about it; where other
/// processes may delete and register catalogs, its registration is looked at again from time to time.
final class Catalogs {
    private final Registry registry;
    private final CatalogOptions options;
    private final Clock clock;
    private final BiFunction<String, CatalogConfig, Hosted> opener;
    private final Map<String, Entry> entries = new ConcurrentHashMap<>();
    private final ReentrantLock[] locks = new ReentrantLock[64];

    private record Entry(String registration, Hosted hosted, long seenNanos) {}

    Catalogs(Registry registry, CatalogOptions options, Clock clock, BiFunction<String, CatalogConfig, Hosted> opener) {
        this.registry = registry;
        this.options = options;
        this.clock = clock;
        this.opener = opener;
        for (int i = 0; i < locks.length; i++) locks[i] = new ReentrantLock();
    }

    /// The catalog of an id; `NOT_FOUND` (`NoSuchCatalogException`), `INVALID` for what can be no id.
    Hosted get(String id) {
        Entry entry = entries.get(id);
        if (entry != null && isFresh(entry)) return entry.hosted();
        ReentrantLock lock = lock(id);
        lock.lock();
        try {
            Entry again = entries.get(id);
            if (again != null && isFresh(again)) return again.hosted();
            Entry looked = look(id, again);
            entries.put(id, looked);
            return looked.hosted();
        } finally {
            lock.unlock();
        }
    }

    /// Forgets what is remembered of an id, because its registration may have changed.
    void forget(String id) {
        ReentrantLock lock = lock(id);
        lock.lock();
        try {
            entries.remove(id);
        } finally {
            lock.unlock();
        }
    }

    private ReentrantLock lock(String id) {
        return locks[Math.floorMod(id.hashCode(), locks.length)];
    }

    private boolean isFresh(Entry entry) {
        return options.exclusive() || clock.nanos() - entry.seenNanos() < options.registrationMillis() * 1_000_000;
    }

    private Entry look(String id, @Nullable Entry before) {
        long began = clock.nanos();
        Optional<Registration> found = registry.find(CatalogId.checked(id));
        if (found.isEmpty()) {
            entries.remove(id);
            throw new FailureException(
                    new Failure(Failure.Kind.NOT_FOUND, "NoSuchCatalogException", "Catalog does not exist: " + id));
        }
        Registration registration = found.get();
        if (before != null && before.registration().equals(registration.registration())) {
            return new Entry(before.registration(), before.hosted(), began);
        }
        Hosted hosted = opener.apply(id, registry.reveal(registration));
        return new Entry(registration.registration(), hosted, began);
    }
}
