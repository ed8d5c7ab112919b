package io.storageengine.gateway.node;

import io.storageengine.catalog.backup.RecoveryPlan;
import io.storageengine.catalog.iceberg.FoundMetadata;
import java.util.ArrayList;
import java.util.List;

/// What people are told of a catalog that is rebuilt: every table and view, and everything that is not certain.
final class RecoveryReport {
    private RecoveryReport() {}

    static List<String> of(RecoveryPlan plan, boolean isDry) {
        List<String> lines = new ArrayList<>();
        lines.add((isDry ? "Would rebuild " : "Rebuilding ") + plan.taken().size() + " tables and views in "
                + plan.spaces().size() + " namespaces:");
        plan.taken().forEach(item -> lines.add("  " + line(item)));
        if (!plan.leftOut().isEmpty()) lines.add("Left out, since something newer has the name (register them):");
        plan.leftOut().forEach(item -> lines.add("  " + line(item)));
        if (!plan.otherLines().isEmpty())
            lines.add("As new as what is taken for the same table: only one of them was committed (compare them):");
        plan.otherLines().forEach(other -> lines.add("  " + other.uuid() + "  " + other.file()));
        if (!plan.unreadable().isEmpty()) lines.add("Not read:");
        plan.unreadable().forEach(why -> lines.add("  " + why));
        lines.add(
                "Metadata files tell nothing of drops and renames: what was dropped without a purge is there again,"
                        + " what was renamed has its first name. Tables whose metadata lies outside the warehouse are not found.");
        return lines;
    }

    private static String line(RecoveryPlan.Item item) {
        FoundMetadata metadata = item.metadata();
        String doubt = item.doubt().isEmpty() ? "" : "  (" + item.doubt() + ")";
        return (metadata.isView() ? "view  " : "table ") + item.name().display() + "  " + metadata.file() + doubt;
    }
}
