package io.storageengine.catalog.tables;

import io.storageengine.catalog.log.CatalogLog;
import io.storageengine.catalog.state.CatalogState;
import io.storageengine.catalog.state.Command;
import io.storageengine.catalog.state.Decision;
import io.storageengine.catalog.state.Decisions;
import io.storageengine.catalog.state.SortedTree;
import io.storageengine.catalog.state.Space;
import io.storageengine.catalog.views.NativeViews;
import io.storageengine.core.Failure;
import io.storageengine.core.FailureException;
import io.storageengine.core.Outcome;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// One native catalog's namespaces. Failures are thrown as [FailureException].
public final class NativeCatalog {
    private final CatalogLog log;
    private final NativeTables tables;
    private final NativeViews views;

    public NativeCatalog(CatalogLog log, NativeTables tables, NativeViews views) {
        this.log = log;
        this.tables = tables;
        this.views = views;
    }

    public NativeTables tables() {
        return tables;
    }

    public NativeViews views() {
        return views;
    }

    /// The catalog as it is now.
    public CatalogState state() {
        return log.state();
    }

    /// What a change of properties did.
    ///
    /// @param removed keys that were there and are gone
    /// @param missing keys that were to be removed and were not there
    public record PropertiesChanged(List<String> removed, List<String> missing) {}

    public void createSpace(List<String> levels, Map<String, String> properties) {
        submit(log, new Command.CreateSpace(Names.space(levels), properties));
    }

    /// The namespace at a path.
    public Space loadSpace(String path) {
        return state().space(path).orElseThrow(() -> new FailureException(Decisions.missingSpace(path)));
    }

    public void dropSpace(String path) {
        submit(log, new Command.DropSpace(path));
    }

    /// Sets and removes properties of a namespace.
    public PropertiesChanged changeSpace(String path, List<String> removals, Map<String, String> updates) {
        Set<String> before = loadSpace(path).properties().keySet();
        List<String> removed = new ArrayList<>();
        List<String> missing = new ArrayList<>();
        for (String key : new HashSet<>(removals)) (before.contains(key) ? removed : missing).add(key);
        submit(log, new Command.ChangeSpace(path, removals, updates));
        return new PropertiesChanged(removed, missing);
    }

    /// The namespaces directly below a path, by path, after the path `after` (the empty one for the start); one
    /// more than `max` when there are more.
    public List<String> children(String parent, String after, int max) {
        CatalogState state = state();
        if (!parent.isEmpty() && state.space(parent).isEmpty()) {
            throw new FailureException(Decisions.missingSpace(parent));
        }
        String start = parent.isEmpty() ? "" : parent + Space.SEPARATOR;
        List<String> found = new ArrayList<>();
        @Nullable String next = state.childAfter(parent, after.isEmpty() ? start : after);
        while (next != null && found.size() <= max) {
            found.add(next);
            next = state.childAfter(parent, next);
        }
        return found;
    }

    /// The names of a namespace's tables after `after`; one more than `max` when there are more.
    public List<String> tableNames(String path, String after, int max) {
        return names(loadSpace(path).tables(), after, max);
    }

    /// The names of a namespace's views after `after`; one more than `max` when there are more.
    public List<String> viewNames(String path, String after, int max) {
        return names(loadSpace(path).views(), after, max);
    }

    private static List<String> names(SortedTree<String, ?> all, String after, int max) {
        List<String> found = new ArrayList<>();
        String next = after.isEmpty() ? all.first() : all.higher(after);
        while (next != null && found.size() <= max) {
            found.add(next);
            next = all.higher(next);
        }
        return found;
    }

    /// Submits a command; a refusal is thrown.
    public static void submit(CatalogLog log, Command command) {
        Outcome<Decision> outcome = log.submit(command);
        if (outcome.orThrow() instanceof Decision.Refused(Failure failure)) throw new FailureException(failure);
    }
}
