package io.storageengine.catalog.backup;

import io.storageengine.catalog.iceberg.FoundMetadata;
import io.storageengine.catalog.iceberg.Location;
import io.storageengine.catalog.iceberg.TablePaths;
import io.storageengine.catalog.registry.CatalogConfig;
import io.storageengine.core.Failure;
import io.storageengine.core.FailureException;
import io.storageengine.core.store.Buckets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/// The metadata files of a warehouse that nobody points at any more. Files that a newer one of the same folder
/// names as its ancestors are not read: a table costs a handful of reads, however often it was committed to.
///
/// @param heads what was read and is no ancestor of what was read
/// @param unreadable files that are not what their names say, and why
record WarehouseScan(List<FoundMetadata> heads, List<String> unreadable) {
    private static final int FOLDERS_AT_ONCE = 16;

    WarehouseScan {
        heads = List.copyOf(heads);
        unreadable = List.copyOf(unreadable);
    }

    /// @param others prefixes in the same bucket that are other warehouses' own
    static WarehouseScan run(Buckets buckets, CatalogConfig.Native warehouse, List<String> others) {
        Map<String, List<String>> folders = new TreeMap<>();
        BackupStorage.list(buckets.bucket(warehouse.bucket()), warehouse.prefix(), object -> {
            String key = object.key();
            if (!isMetadata(key) || others.stream().anyMatch(key::startsWith)) return;
            String folder = key.substring(0, key.lastIndexOf('/') + 1);
            folders.computeIfAbsent(folder, none -> new ArrayList<>()).add("s3://" + warehouse.bucket() + "/" + key);
        });
        List<FoundMetadata> heads = new ArrayList<>();
        List<String> unreadable = new ArrayList<>();
        for (WarehouseScan folder : read(buckets, folders)) {
            heads.addAll(folder.heads);
            unreadable.addAll(folder.unreadable);
        }
        Set<String> ancestors = new HashSet<>();
        heads.forEach(head -> ancestors.addAll(head.ancestors()));
        heads.removeIf(head -> ancestors.contains(head.file()));
        return new WarehouseScan(heads, unreadable);
    }

    private static boolean isMetadata(String key) {
        boolean ours = ("/" + key).contains("/" + Location.RESERVED + "/");
        return !ours && (key.endsWith(".metadata.json") || key.endsWith(".metadata.json.gz"));
    }

    private static List<WarehouseScan> read(Buckets buckets, Map<String, List<String>> folders) {
        try (ExecutorService threads =
                Executors.newFixedThreadPool(FOLDERS_AT_ONCE, Thread.ofVirtual().factory())) {
            List<Future<WarehouseScan>> reading = folders.values().stream()
                    .map(files -> threads.submit(() -> folder(buckets, files)))
                    .toList();
            List<WarehouseScan> read = new ArrayList<>();
            for (Future<WarehouseScan> one : reading) read.add(one.get());
            return read;
        } catch (ExecutionException e) {
            throw e.getCause() instanceof FailureException known
                    ? known
                    : new FailureException(Failure.Kind.BUG, String.valueOf(e.getCause()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new FailureException(Failure.Kind.UNAVAILABLE, "stopped while metadata files were read");
        }
    }

    private static WarehouseScan folder(Buckets buckets, List<String> files) {
        files.sort(Comparator.comparingInt(TablePaths::version)
                .thenComparing(Comparator.naturalOrder())
                .reversed());
        List<FoundMetadata> found = new ArrayList<>();
        List<String> unreadable = new ArrayList<>();
        Set<String> ancestors = new HashSet<>();
        for (String file : files) {
            if (ancestors.contains(file)) continue;
            try {
                FoundMetadata metadata = FoundMetadata.read(buckets, file);
                ancestors.addAll(metadata.ancestors());
                found.add(metadata);
            } catch (FailureException e) {
                if (!isOfTheFile(e.failure().kind())) throw e;
                unreadable.add(e.failure().message());
            }
        }
        return new WarehouseScan(found, unreadable);
    }

    private static boolean isOfTheFile(Failure.Kind kind) {
        return kind == Failure.Kind.CORRUPT || kind == Failure.Kind.NOT_FOUND || kind == Failure.Kind.INVALID;
    }
}
