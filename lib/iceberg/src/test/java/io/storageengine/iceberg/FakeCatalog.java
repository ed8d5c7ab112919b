package io.storageengine.iceberg;

import com.fasterxml.jackson.databind.JsonNode;
import io.storageengine.core.Ask;
import io.storageengine.core.Failure;
import io.storageengine.core.Outcome;
import io.storageengine.core.message.Answer;
import io.storageengine.core.message.CallCatalog;
import io.storageengine.core.message.CatalogReply;
import io.storageengine.core.message.CatalogStorage;
import io.storageengine.core.message.Claim;
import io.storageengine.core.message.CommitTable;
import io.storageengine.core.message.CommittedTable;
import io.storageengine.core.message.FindClaim;
import io.storageengine.core.message.FoundClaim;
import io.storageengine.core.message.LoadTable;
import io.storageengine.core.message.LoadedTable;
import io.storageengine.core.message.Question;
import io.storageengine.core.message.StorageOf;
import io.storageengine.core.message.TableRef;
import io.storageengine.core.message.Watermark;
import java.net.URLDecoder;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.SchemaParser;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableMetadataParser;
import org.apache.iceberg.UpdateRequirement;
import org.apache.iceberg.exceptions.CommitFailedException;
import org.apache.iceberg.rest.requests.UpdateTableRequest;
import org.apache.iceberg.rest.requests.UpdateTableRequestParser;
import org.apache.iceberg.util.JsonUtil;
import org.jspecify.annotations.Nullable;

/// The catalog room in miniature: tables of a native catalog in memory, with marks and claims, and with faults
/// to order.
public final class FakeCatalog implements Ask {
    /// What goes wrong with a commit.
    public enum Fault {
        /// It never arrives; the asker is told that nobody knows.
        REQUEST_LOST,
        /// It is done; the asker is told that nobody knows.
        ANSWER_LOST,
        /// It is done after the commit that comes next, or refused then; the asker is told that nobody knows.
        LATE,
        UNAVAILABLE
    }

    private static final class Entry {
        private TableMetadata metadata;
        private final Map<String, Long> marks = new HashMap<>();
        private final Map<String, Claim> claims = new HashMap<>();

        Entry(TableMetadata metadata) {
            this.metadata = metadata;
        }
    }

    private final Map<TableRef, Entry> tables = new HashMap<>();
    private final Set<List<String>> namespaces = new HashSet<>();
    private final Deque<Fault> faults = new ArrayDeque<>();
    private Optional<Fault> always = Optional.empty();
    private @Nullable CommitTable late;
    private int versions;

    /// Commits that were asked, by any outcome.
    public final AtomicInteger commitsAsked = new AtomicInteger();

    /// Makes a table of format version 3.
    public synchronized void create(TableRef table, Schema schema, PartitionSpec spec, Map<String, String> properties) {
        Map<String, String> all = new HashMap<>(properties);
        all.put("format-version", "3");
        String location = "s3://warehouse/" + table.display().replace('.', '/') + "-" + ++versions;
        TableMetadata made = TableMetadata.newTableMetadata(schema, spec, location, all);
        tables.put(table, new Entry(located(made)));
    }

    public synchronized void drop(TableRef table) {
        tables.remove(table);
    }

    /// Another engine's change.
    public synchronized void change(TableRef table, UnaryOperator<TableMetadata> change) {
        Entry entry = entry(table);
        entry.metadata = located(change.apply(entry.metadata));
    }

    public synchronized TableMetadata metadata(TableRef table) {
        return entry(table).metadata;
    }

    public synchronized Map<String, Long> marks(TableRef table) {
        return Map.copyOf(entry(table).marks);
    }

    public synchronized void setMark(TableRef table, String log, long position) {
        entry(table).marks.put(log, position);
    }

    public synchronized Map<String, Claim> claims(TableRef table) {
        return Map.copyOf(entry(table).claims);
    }

    /// What happens to the next commits, one after the other.
    public synchronized void fail(Fault... next) {
        faults.addAll(List.of(next));
    }

    /// What happens to every commit from now on; empty for nothing.
    public synchronized void failAlways(Optional<Fault> fault) {
        always = fault;
    }

    private Entry entry(TableRef table) {
        Entry entry = tables.get(table);
        if (entry == null) throw new IllegalArgumentException("no table " + table);
        return entry;
    }

    private TableMetadata located(TableMetadata metadata) {
        String location = metadata.location() + "/metadata/" + ++versions + ".metadata.json";
        return TableMetadata.buildFrom(metadata)
                .discardChanges()
                .withMetadataLocation(location)
                .build();
    }

    @Override
    @SuppressWarnings("unchecked")
    public <A extends Answer> Outcome<A> ask(Question<A> question, long timeoutMillis) {
        return (Outcome<A>) answer(question);
    }

    /// Answers as the room would.
    public synchronized Outcome<? extends Answer> answer(Question<?> question) {
        return switch (question) {
            case LoadTable load -> load(load.table());
            case CommitTable commit -> commitOrFail(commit);
            case FindClaim find -> find(find);
            case StorageOf storage -> Outcome.ok(new CatalogStorage(true, Map.of()));
            case CallCatalog call -> Outcome.ok(call(call));
            default -> Outcome.failed(Failure.Kind.BUG, "not for the catalog: " + question);
        };
    }

    private Outcome<LoadedTable> load(TableRef table) {
        Entry entry = tables.get(table);
        if (entry == null) return noSuchTable(table);
        return Outcome.ok(
                new LoadedTable(entry.metadata.metadataFileLocation(), json(entry.metadata), entry.marks, Map.of()));
    }

    private static <T> Outcome<T> noSuchTable(TableRef table) {
        return Outcome.failed(
                Failure.Kind.NOT_FOUND, "NoSuchTableException", "Table does not exist: " + table.display());
    }

    private static ByteBuffer json(TableMetadata metadata) {
        return ByteBuffer.wrap(TableMetadataParser.toJson(metadata).getBytes(StandardCharsets.UTF_8));
    }

    private Outcome<CommittedTable> commitOrFail(CommitTable commit) {
        commitsAsked.incrementAndGet();
        Fault fault = always.orElseGet(faults::poll);
        if (fault == null) {
            Outcome<CommittedTable> done = commit(commit);
            CommitTable delayed = late;
            late = null;
            if (delayed != null) commit(delayed);
            return done;
        }
        switch (fault) {
            case ANSWER_LOST -> commit(commit);
            case LATE -> late = commit;
            case REQUEST_LOST -> {}
            case UNAVAILABLE -> {
                return Outcome.failed(Failure.Kind.UNAVAILABLE, "injected");
            }
        }
        return Outcome.failed(Failure.Kind.UNKNOWN, "injected " + fault);
    }

    private Outcome<CommittedTable> commit(CommitTable commit) {
        Entry entry = tables.get(commit.table());
        if (entry == null || !entry.metadata.uuid().equals(commit.tableUuid())) return noSuchTable(commit.table());
        for (Watermark mark : commit.watermarks())
            if (entry.marks.getOrDefault(mark.log(), 0L) != mark.expected())
                return Outcome.failed(Failure.Kind.CONFLICT, "WatermarkMismatch", "mark");
        for (Claim claim : commit.claims())
            if (entry.claims.containsKey(claim.key()))
                return Outcome.failed(Failure.Kind.CONFLICT, "ClaimExists", claim.key());
        String json =
                StandardCharsets.UTF_8.decode(commit.request().duplicate()).toString();
        UpdateTableRequest request = UpdateTableRequestParser.fromJson(json);
        try {
            for (UpdateRequirement requirement : request.requirements()) requirement.validate(entry.metadata);
        } catch (CommitFailedException lost) {
            return Outcome.failed(Failure.Kind.CONFLICT, "CommitFailedException", String.valueOf(lost.getMessage()));
        }
        TableMetadata.Builder next = TableMetadata.buildFrom(entry.metadata);
        request.updates().forEach(update -> update.applyTo(next));
        if (!request.updates().isEmpty()) entry.metadata = located(next.build());
        commit.watermarks().forEach(mark -> entry.marks.put(mark.log(), mark.next()));
        commit.claims().forEach(claim -> entry.claims.put(claim.key(), claim));
        return Outcome.ok(new CommittedTable(entry.metadata.metadataFileLocation(), json(entry.metadata)));
    }

    private Outcome<FoundClaim> find(FindClaim find) {
        Entry entry = tables.get(find.table());
        if (entry == null) return noSuchTable(find.table());
        return Outcome.ok(new FoundClaim(Optional.ofNullable(entry.claims.get(find.key()))));
    }

    private CatalogReply call(CallCatalog call) {
        String[] path = call.path().split("/");
        JsonNode body = read(call.body());
        if (path.length == 5 && call.method().equals("POST")) {
            List<String> levels = JsonUtil.getStringList("namespace", body);
            if (levels.size() > 1 && !namespaces.contains(levels.subList(0, levels.size() - 1))) return reply(404);
            return reply(namespaces.add(levels) ? 200 : 409);
        }
        if (path.length == 7 && call.method().equals("POST")) return createTable(path, body);
        return reply(400);
    }

    private CatalogReply createTable(String[] path, JsonNode body) {
        List<String> levels =
                List.of(URLDecoder.decode(path[5], StandardCharsets.UTF_8).split("\u001f"));
        if (!namespaces.contains(levels)) return reply(404);
        TableRef table = new TableRef(path[2], levels, body.get("name").asText());
        if (tables.containsKey(table)) return reply(409);
        create(table, SchemaParser.fromJson(body.get("schema")), PartitionSpec.unpartitioned(), Map.of());
        return reply(200);
    }

    private static JsonNode read(ByteBuffer body) {
        try {
            return JsonUtil.mapper()
                    .readTree(StandardCharsets.UTF_8.decode(body.duplicate()).toString());
        } catch (java.io.IOException broken) {
            throw new java.io.UncheckedIOException(broken);
        }
    }

    private static CatalogReply reply(int status) {
        return new CatalogReply(status, Map.of(), ByteBuffer.allocate(0));
    }
}
