package io.storageengine.catalog.tables;

import io.storageengine.catalog.iceberg.IcebergJson;
import io.storageengine.catalog.log.CatalogLog;
import io.storageengine.catalog.state.CatalogState;
import io.storageengine.catalog.state.Command;
import io.storageengine.catalog.state.Decisions;
import io.storageengine.catalog.state.KeptReply;
import io.storageengine.catalog.state.RequestKey;
import io.storageengine.catalog.state.SortedTree;
import io.storageengine.catalog.state.Space;
import io.storageengine.catalog.state.TableName;
import io.storageengine.catalog.views.NativeViews;
import io.storageengine.core.Clock;
import io.storageengine.core.Failure;
import io.storageengine.core.FailureException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// One native catalog's namespaces. Failures are thrown as [FailureException].
public final class NativeCatalog {
    private final CatalogLog log;
    private final Submissions submissions;
    private final NativeTables tables;
    private final Transactions transactions;
    private final NativeViews views;
    private final Restores restores;
    private final Clock clock;

    public NativeCatalog(
            CatalogLog log,
            Submissions submissions,
            NativeTables tables,
            Transactions transactions,
            NativeViews views,
            Restores restores,
            Clock clock) {
        this.log = log;
        this.submissions = submissions;
        this.tables = tables;
        this.transactions = transactions;
        this.views = views;
        this.restores = restores;
        this.clock = clock;
    }

    public NativeTables tables() {
        return tables;
    }

    public NativeViews views() {
        return views;
    }

    public Transactions transactions() {
        return transactions;
    }

    public Submissions submissions() {
        return submissions;
    }

    /// What the request with that key was answered, as far as this process knows: the log has the last word.
    public Optional<KeptReply> answered(RequestKey key) {
        return log.latest().replies().find(key.key(), clock.wallMillis());
    }

    /// Keeps a refusal that was found before anything was submitted, or finds the answer that was given to the
    /// request before: the text of that; a refusal is thrown.
    public String refuse(RequestKey key, Failure failure) {
        return submissions.submit(new Command.Refuse(failure), key, "");
    }

    /// Brings back the table or view that was dropped last under a name, with the metadata that it had.
    public void restore(TableName name, RequestKey key) {
        CatalogState state = state();
        UUID uuid = state.lastDropped(name).orElseThrow(() -> new FailureException(Decisions.notRestorable(name)));
        CatalogState.Dropped dropped = Objects.requireNonNull(state.dropped().get(uuid));
        if (dropped.isView()) views.checkReadable(dropped.location());
        else tables.checkReadable(dropped.location());
        submissions.submit(new Command.Restore(name, uuid), key);
    }

    /// Brings back the namespace that was dropped last at a path, with the properties that it had; it was
    /// empty.
    public void restoreSpace(List<String> levels, RequestKey key) {
        String path = Names.space(levels);
        Map<String, String> properties = log.past()
                .droppedSpace(path)
                .orElseThrow(() -> new FailureException(new Failure(
                        Failure.Kind.NOT_FOUND,
                        "NoSuchNamespaceException",
                        "Nothing to restore: the history tells of no drop of namespace " + Space.display(path))));
        submissions.submit(new Command.CreateSpace(path, properties), key);
    }

    public Restores restores() {
        return restores;
    }

    /// The log that the catalog is kept as.
    public CatalogLog log() {
        return log;
    }

    /// The catalog as it is now.
    public CatalogState state() {
        return log.state();
    }

    public void createSpace(List<String> levels, Map<String, String> properties, RequestKey key) {
        submissions.submit(new Command.CreateSpace(Names.space(levels), properties), key);
    }

    /// The namespace at a path.
    public Space loadSpace(String path) {
        return state().space(path).orElseThrow(() -> new FailureException(Decisions.missingSpace(path)));
    }

    public void dropSpace(String path, RequestKey key) {
        submissions.submit(new Command.DropSpace(path), key);
    }

    /// Sets and removes properties of a namespace. The answer is the text of those that were to be removed and
    /// were not there, see [#missing].
    public String changeSpace(String path, List<String> removals, Map<String, String> updates, RequestKey key) {
        Set<String> missing = new TreeSet<>(removals);
        missing.removeAll(loadSpace(path).properties().keySet());
        String text = new String(IcebergJson.write(missing), StandardCharsets.UTF_8);
        return submissions.submit(new Command.ChangeSpace(path, removals, updates), key, text);
    }

    /// The properties in a text of [#changeSpace].
    public static List<String> missing(String text) {
        return List.of(IcebergJson.read(StandardCharsets.UTF_8.encode(text), String[].class));
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
}
