package io.storageengine.catalog.upstream;

import static io.storageengine.core.Failure.Kind.CONFLICT;

import com.fasterxml.jackson.databind.JsonNode;
import io.storageengine.catalog.iceberg.IcebergJson;
import io.storageengine.catalog.iceberg.Refusals;
import io.storageengine.core.Failure;
import io.storageengine.core.FailureException;
import io.storageengine.core.message.CommitTable;
import io.storageengine.core.message.CommittedTable;
import io.storageengine.core.message.TableRef;
import io.storageengine.core.message.Watermark;
import java.net.URLEncoder;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.iceberg.MetadataUpdate;
import org.apache.iceberg.SnapshotRef;
import org.apache.iceberg.UpdateRequirement;
import org.apache.iceberg.rest.requests.UpdateTableRequest;
import org.apache.iceberg.rest.requests.UpdateTableRequestParser;

/// Ingestion's door to an upstream's tables. Marks live in table properties: they are read from one load and
/// moved by one request that also asserts the table's uuid and the head that was loaded.
public final class UpstreamTables {
    private static final Map<String, String> JSON = Map.of("Content-Type", "application/json");
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final Upstream upstream;

    public UpstreamTables(Upstream upstream) {
        this.upstream = upstream;
    }

    /// One request. `NOT_FOUND` with the upstream's type.
    ForeignTable load(TableRef table) {
        var answer =
                upstream.call("GET", path(table), Map.of("X-Iceberg-Access-Delegation", "vended-credentials"), NOTHING);
        if (answer.isOk()) return new ForeignTable(UpstreamJson.tree(answer.body()));
        throw new FailureException(refusal(answer, table, false));
    }

    /// The table of that name, when it has that uuid.
    ForeignTable load(TableRef table, String uuid) {
        ForeignTable found = load(table);
        if (found.uuid().equalsIgnoreCase(uuid)) return found;
        throw new FailureException(missing(table));
    }

    private String path(TableRef table) {
        String separator = upstream.config().separator();
        String namespace =
                table.namespace().stream().map(UpstreamTables::encoded).collect(Collectors.joining(separator));
        return "namespaces/" + namespace + "/tables/" + encoded(table.name());
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    /// Commits once on a loaded table; see [CommitTable].
    CommittedTable commit(CommitTable question, ForeignTable base) {
        UpdateTableRequest request = request(question, base);
        if (request.updates().isEmpty()) return committed(base);
        ByteBuffer body =
                ByteBuffer.wrap(UpdateTableRequestParser.toJson(request).getBytes(StandardCharsets.UTF_8));
        try {
            var answer = upstream.call("POST", path(question.table()), JSON, body);
            if (answer.isOk()) return committed(new ForeignTable(UpstreamJson.tree(answer.body())));
            return judged(question, request, base, refusal(answer, question.table(), true));
        } catch (FailureException e) {
            return judged(question, request, base, e.failure());
        }
    }

    private static CommittedTable committed(ForeignTable table) {
        return new CommittedTable(table.answer().path("metadata-location").asText(""), table.json());
    }

    private static UpdateTableRequest request(CommitTable question, ForeignTable base) {
        var given = IcebergJson.read(question.request(), UpdateTableRequest.class);
        List<UpdateRequirement> requirements = new ArrayList<>(given.requirements());
        requirements.removeIf(UpdateRequirement.AssertTableUUID.class::isInstance);
        requirements.add(new UpdateRequirement.AssertTableUUID(question.tableUuid()));
        if (requirements.stream().noneMatch(UpstreamTables::assertsHead)) {
            requirements.add(
                    new UpdateRequirement.AssertRefSnapshotID(SnapshotRef.MAIN_BRANCH, base.currentSnapshot()));
        }
        List<MetadataUpdate> updates = new ArrayList<>(given.updates());
        Map<String, String> marks = new HashMap<>();
        for (Watermark mark : question.watermarks()) {
            marks.put(ForeignTable.MARK + mark.log(), Long.toString(mark.next()));
        }
        if (!marks.isEmpty()) updates.add(new MetadataUpdate.SetProperties(marks));
        return UpdateTableRequest.create(null, requirements, updates);
    }

    private static boolean assertsHead(UpdateRequirement requirement) {
        return requirement instanceof UpdateRequirement.AssertRefSnapshotID head
                && head.refName().equals(SnapshotRef.MAIN_BRANCH);
    }

    /// What became of a commit that was not answered by a yes: looks at the table again.
    private CommittedTable judged(
            CommitTable question, UpdateTableRequest request, ForeignTable base, Failure failure) {
        if (failure.kind() != Failure.Kind.UNKNOWN && failure.kind() != CONFLICT) throw new FailureException(failure);
        ForeignTable now;
        try {
            now = load(question.table(), question.tableUuid());
        } catch (FailureException e) {
            // A lost race stays one; what was unknown stays unknown, unless the table is gone.
            throw failure.kind() == CONFLICT || e.failure().kind() == Failure.Kind.NOT_FOUND
                    ? e
                    : new FailureException(failure);
        }
        if (isIn(question, request, now)) return committed(now);
        Optional<Failure> moved = mismatch(question.watermarks(), now);
        if (moved.isPresent()) throw new FailureException(moved.get());
        boolean headMoved = !Objects.equals(base.currentSnapshot(), now.currentSnapshot());
        if (failure.kind() == CONFLICT || headMoved) {
            throw Refusals.conflict("The table was changed by another commit");
        }
        throw new FailureException(failure);
    }

    private static boolean isIn(CommitTable question, UpdateTableRequest request, ForeignTable now) {
        List<Long> added = request.updates().stream()
                .filter(MetadataUpdate.AddSnapshot.class::isInstance)
                .map(update -> ((MetadataUpdate.AddSnapshot) update).snapshot().snapshotId())
                .toList();
        boolean tells = !added.isEmpty() || !question.watermarks().isEmpty();
        return tells && added.stream().allMatch(now::hasSnapshot) && now.hasReached(question.watermarks());
    }

    /// Why these marks cannot be moved; empty when they can.
    static Optional<Failure> mismatch(List<Watermark> wanted, ForeignTable table) {
        Map<String, Long> marks = table.marks();
        for (Watermark mark : wanted) {
            long stands = marks.getOrDefault(mark.log(), 0L);
            if (stands == mark.expected()) continue;
            String message = "The mark of log " + mark.log() + " stands at " + stands + ", not at " + mark.expected();
            return Optional.of(new Failure(CONFLICT, "WatermarkMismatch", message));
        }
        return Optional.empty();
    }

    private static Failure refusal(UpstreamHttp.Answer answer, TableRef table, boolean writes) {
        JsonNode error = UpstreamJson.treeOrMissing(answer.body()).path("error");
        String type = error.path("type").asText("");
        if (answer.status() >= 500) return Upstreams.failed(writes);
        return switch (answer.status()) {
            case 404 ->
                type.equals("NoSuchNamespaceException")
                        ? new Failure(
                                Failure.Kind.NOT_FOUND,
                                type,
                                "Namespace does not exist: " + String.join(".", table.namespace()))
                        : missing(table);
            case 403 -> new Failure(Failure.Kind.FORBIDDEN, "ForbiddenException", "The upstream catalog forbids this");
            case 409 -> new Failure(CONFLICT, "CommitFailedException", "The upstream catalog refuses the commit");
            case 429 -> Upstreams.throttled();
            default ->
                new Failure(
                        Failure.Kind.INVALID,
                        "BadRequestException",
                        "The upstream catalog answers " + answer.status() + ": "
                                + error.path("message").asText());
        };
    }

    private static Failure missing(TableRef table) {
        return new Failure(Failure.Kind.NOT_FOUND, "NoSuchTableException", "Table does not exist: " + table.display());
    }
}
