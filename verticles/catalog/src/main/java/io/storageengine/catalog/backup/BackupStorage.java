package io.storageengine.catalog.backup;

import io.storageengine.catalog.iceberg.Location;
import io.storageengine.catalog.registry.CatalogConfig;
import io.storageengine.catalog.registry.ClusterPlace;
import io.storageengine.catalog.registry.ConfigParser;
import io.storageengine.catalog.registry.Registration;
import io.storageengine.catalog.registry.Registry;
import io.storageengine.catalog.secrets.NoSecrets;
import io.storageengine.core.Clock;
import io.storageengine.core.Failure;
import io.storageengine.core.FailureException;
import io.storageengine.core.Ids;
import io.storageengine.core.log.LogOptions;
import io.storageengine.core.log.ObjectLog;
import io.storageengine.core.store.Buckets;
import io.storageengine.core.store.ListPage;
import io.storageengine.core.store.ListRequest;
import io.storageengine.core.store.ObjectInfo;
import io.storageengine.core.store.ObjectStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/// The storage of an engine as this room's commands see it.
///
/// @param buckets where warehouses are
/// @param cluster cluster storage
/// @param reserved where no warehouse may lie
public record BackupStorage(
        Buckets buckets, ObjectStore cluster, ClusterPlace reserved, Clock clock, RandomGenerator random) {
    private static final String LOG = Location.RESERVED + "/catalog/";
    private static final String REGISTRATIONS = "catalogs/";

    Registry registry() {
        return new Registry(cluster, new NoSecrets(), new ConfigParser(uri -> {}), new Ids(random));
    }

    /// The log of a warehouse, under a writer's name of its own.
    ObjectLog log(CatalogConfig.Native warehouse) {
        String writer = "se-catalog-" + new Ids(random).uuid();
        ObjectStore bucket = buckets.bucket(warehouse.bucket());
        return new ObjectLog(bucket, warehouse.prefix() + LOG, writer, LogOptions.DEFAULT, clock, random);
    }

    /// How many objects lie where the warehouse's log does, at most a thousand.
    int logObjects(CatalogConfig.Native warehouse) {
        var page = buckets.bucket(warehouse.bucket()).list(ListRequest.of(warehouse.prefix() + LOG));
        if (page.failedWith(Failure.Kind.NOT_FOUND)) return 0;
        return page.orThrow().objects().size();
    }

    /// The native catalog of that id.
    ///
    /// @throws FailureException `NOT_FOUND` when it is not registered, `INVALID` when it is of another type
    CatalogConfig.Native nativeCatalog(String id) {
        Registration found = registry()
                .find(id)
                .orElseThrow(() -> new FailureException(
                        Failure.Kind.NOT_FOUND, "No catalog '" + id + "' is registered in this storage"));
        return switch (found.config()) {
            case CatalogConfig.Native ours -> ours;
            case CatalogConfig.Rest rest ->
                throw new FailureException(
                        Failure.Kind.INVALID,
                        "Catalog '" + id + "' is of type rest: its tables are known to " + rest.uri()
                                + " and not here, so there is no log to export or to rebuild");
        };
    }

    /// All native catalogs that are registered, by id.
    Map<String, CatalogConfig.Native> nativeCatalogs() {
        Map<String, CatalogConfig.Native> found = new TreeMap<>();
        List<String> ids = new ArrayList<>();
        list(cluster, REGISTRATIONS, object -> {
            String name = object.key().substring(REGISTRATIONS.length());
            if (name.endsWith(".json") && name.indexOf('/') < 0) ids.add(name.substring(0, name.length() - 5));
        });
        for (String id : ids) {
            registry().find(id).map(Registration::config).ifPresent(config -> {
                if (config instanceof CatalogConfig.Native ours) found.put(id, ours);
            });
        }
        return found;
    }

    /// All objects under a prefix, in order.
    static void list(ObjectStore store, String prefix, Consumer<ObjectInfo> each) {
        ListRequest request = ListRequest.of(prefix);
        while (true) {
            ListPage page = store.list(request).orThrow();
            page.objects().forEach(each);
            if (page.isLast()) return;
            request = request.after(page.next());
        }
    }

    static String place(CatalogConfig.Native warehouse) {
        return "s3://" + warehouse.bucket() + "/" + warehouse.prefix();
    }
}
