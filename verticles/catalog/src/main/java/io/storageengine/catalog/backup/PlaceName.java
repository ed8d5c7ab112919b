package io.storageengine.catalog.backup;

import io.storageengine.catalog.iceberg.FoundMetadata;
import io.storageengine.catalog.iceberg.TablePaths;
import io.storageengine.catalog.state.Space;
import io.storageengine.catalog.state.TableName;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// The name of a table or view as its place tells it (see [TablePaths#place]).
///
/// @param name with the characters that the place has
/// @param doubt why the name may have been another; empty when the place cannot have hidden anything but a
///     rename
record PlaceName(TableName name, String doubt) {
    /// Where what has no namespace in its place is put.
    private static final String LOST_AND_FOUND = "recovered";

    static PlaceName of(FoundMetadata found, String warehouse) {
        boolean inside = found.location().startsWith(warehouse);
        String place = inside ? found.location() : folderOf(found.file());
        String path = place.startsWith(warehouse) ? place.substring(warehouse.length()) : "";
        List<String> levels = new ArrayList<>(Arrays.asList(path.split("/", -1)));
        levels.removeIf(String::isEmpty);
        levels.replaceAll(level -> level.replace(Space.SEPARATOR, '_').replace('\0', '_'));
        String last = levels.isEmpty() ? found.uuid().toString() : levels.removeLast();
        String suffix = "-" + found.uuid().toString().substring(0, 8);
        boolean isOurs = inside && last.endsWith(suffix) && last.length() > suffix.length() && !levels.isEmpty();
        String table = isOurs ? last.substring(0, last.length() - suffix.length()) : last;
        if (levels.isEmpty()) levels.add(LOST_AND_FOUND);
        TableName name = new TableName(Space.path(levels), table);
        if (!isOurs) return new PlaceName(name, "its place is not one that this catalog gives: the name is a guess");
        levels.add(table);
        return new PlaceName(name, doubt(levels));
    }

    private static String doubt(List<String> names) {
        boolean cut = names.stream().anyMatch(name -> name.length() >= TablePaths.LEVEL_CHARS_MAX);
        boolean replaced = names.stream().anyMatch(name -> name.contains("_"));
        if (cut) return "a name of " + TablePaths.LEVEL_CHARS_MAX + " characters may have been longer";
        return replaced ? "'_' may stand for a character that a place cannot have" : "";
    }

    private static String folderOf(String file) {
        String folder = file.substring(0, file.lastIndexOf('/'));
        return folder.endsWith("/metadata") ? folder.substring(0, folder.length() - "/metadata".length()) : folder;
    }
}
