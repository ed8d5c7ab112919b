package io.storageengine.store.local;

import io.storageengine.core.store.ObjectInfo;
import io.storageengine.store.PageFold;
import io.storageengine.store.local.Layout.Entry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.PriorityQueue;

/// Walks a directory tree in the order of keys, for one page. However many names a directory has, no more of them
/// than the page may want are kept.
final class TreeWalk {
    private static final Comparator<Entry> ORDER = Comparator.comparing(Entry::head);
    private final PageFold fold;

    TreeWalk(PageFold fold) {
        this.fold = fold;
    }

    /// Fills the page from the objects of a bucket.
    void walk(Path objects) throws IOException {
        try {
            walk(objects, "");
        } catch (UncheckedIOException e) {
            throw Objects.requireNonNull(e.getCause());
        }
    }

    /// @param base what all raw keys in the directory begin with
    /// @return false once the page is full
    private boolean walk(Path directory, String base) throws IOException {
        Optional<String> after = Optional.empty();
        while (true) {
            int count = fold.wants();
            List<Entry> entries = first(count, directory, base, after);
            for (Entry entry : entries) {
                if (!visit(entry)) return false;
            }
            if (entries.size() < count) return true;
            after = Optional.of(entries.getLast().head());
        }
    }

    private boolean visit(Entry entry) throws IOException {
        if (!fold.mayHold(entry.head())) return true;
        if (entry.isFile()) return fold.add(entry.head(), () -> info(entry.path()));
        if (!fold.folds(entry.head())) return walk(entry.path(), entry.head());
        return !hasObject(entry.path()) || fold.add(entry.head(), Optional::empty);
    }

    private static Optional<ObjectInfo> info(Path file) {
        try {
            ObjectInfo info = ObjectFile.read(file).info();
            return Optional.of(new ObjectInfo(
                    info.key(), info.sizeBytes(), info.etag(), info.lastModified(), info.contentType(), Map.of()));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private List<Entry> first(int count, Path directory, String base, Optional<String> after) throws IOException {
        PriorityQueue<Entry> kept = new PriorityQueue<>(ORDER.reversed());
        try (DirectoryStream<Path> paths = Files.newDirectoryStream(directory)) {
            for (Path path : paths) {
                Layout.entry(path, base)
                        .filter(entry -> fold.mayHold(entry.head()))
                        .filter(entry -> after.isEmpty() || entry.head().compareTo(after.get()) > 0)
                        .ifPresent(kept::add);
                if (kept.size() > count) kept.remove();
            }
        } catch (NoSuchFileException e) {
            return List.of();
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        List<Entry> sorted = new ArrayList<>(kept);
        sorted.sort(ORDER);
        return sorted;
    }

    /// True when some object lies in a directory or below.
    static boolean hasObject(Path directory) throws IOException {
        List<Path> below = new ArrayList<>();
        try (DirectoryStream<Path> paths = Files.newDirectoryStream(directory)) {
            for (Path path : paths) {
                Optional<Entry> entry = Layout.entry(path, "");
                if (entry.isEmpty()) continue;
                if (entry.get().isFile()) return true;
                below.add(path);
            }
        } catch (NoSuchFileException e) {
            return false;
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        for (Path path : below) {
            if (hasObject(path)) return true;
        }
        return false;
    }
}
