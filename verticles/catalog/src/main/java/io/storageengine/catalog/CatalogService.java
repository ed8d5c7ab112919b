package io.storageengine.catalog;

import io.micrometer.core.instrument.MeterRegistry;
import io.storageengine.catalog.registry.Administration;
import io.storageengine.catalog.registry.CatalogConfig;
import io.storageengine.catalog.registry.ConfigParser;
import io.storageengine.catalog.registry.Registry;
import io.storageengine.catalog.rest.Call;
import io.storageengine.catalog.rest.Replies;
import io.storageengine.catalog.rest.TableReports;
import io.storageengine.catalog.secrets.SecretStore;
import io.storageengine.catalog.threads.Threads;
import io.storageengine.catalog.upstream.AddressRule;
import io.storageengine.catalog.upstream.Hops;
import io.storageengine.catalog.upstream.UpstreamHttp;
import io.storageengine.core.Clock;
import io.storageengine.core.Done;
import io.storageengine.core.Failure;
import io.storageengine.core.FailureException;
import io.storageengine.core.Ids;
import io.storageengine.core.Outcome;
import io.storageengine.core.message.AbortRows;
import io.storageengine.core.message.Answer;
import io.storageengine.core.message.AwaitRows;
import io.storageengine.core.message.BeginRows;
import io.storageengine.core.message.CallCatalog;
import io.storageengine.core.message.CallChannel;
import io.storageengine.core.message.CatalogReply;
import io.storageengine.core.message.CommitFiles;
import io.storageengine.core.message.CommitTable;
import io.storageengine.core.message.EndRows;
import io.storageengine.core.message.FindChannel;
import io.storageengine.core.message.FindClaim;
import io.storageengine.core.message.HoldChannel;
import io.storageengine.core.message.ListParked;
import io.storageengine.core.message.LoadTable;
import io.storageengine.core.message.Question;
import io.storageengine.core.message.ReplayParked;
import io.storageengine.core.message.SendRows;
import io.storageengine.core.message.StorageOf;
import io.storageengine.core.store.Buckets;
import io.storageengine.core.store.ObjectStore;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The catalog room: answers what comes over HTTP ([CallCatalog], always with a reply) and what other rooms
/// ask. Thread-safe; calls block their virtual thread on storage.
public final class CatalogService {
    private static final Logger LOG = LoggerFactory.getLogger(CatalogService.class);
    /// What is served of a catalog beside the Iceberg REST API.
    private static final Set<String> BESIDE = Set.of("history", "restore");

    private final CatalogOptions options;
    private final Administration administration;
    private final Catalogs catalogs;
    private final NativeOpener natives;
    private final UpstreamOpener upstreams;

    /// @param clusterStore registrations, secrets and the claims of `rest` catalogs
    /// @param buckets warehouses of native catalogs
    /// @param meters what engines report of their work goes here
    /// @param random for ids; thread-safe
    public CatalogService(
            ObjectStore clusterStore,
            Buckets buckets,
            SecretStore secrets,
            CatalogOptions options,
            MeterRegistry meters,
            Clock clock,
            Threads threads,
            RandomGenerator random) {
        this.options = options;
        Ids ids = new Ids(random);
        AddressRule rule = new AddressRule(options.privateUpstreams());
        CatalogLogs logs = new CatalogLogs(options, clock, random);
        this.natives = new NativeOpener(buckets, logs, ids, threads, new TableReports(meters));
        UpstreamHttp http = new UpstreamHttp(rule, options.upstreamTimeoutMillis());
        this.upstreams = new UpstreamOpener(clusterStore, logs, http, clock);
        ConfigParser parser = new ConfigParser(rule::checkLiteral);
        Registry registry = new Registry(clusterStore, secrets, parser, ids);
        this.administration = new Administration(registry, parser, options.cluster());
        this.catalogs = new Catalogs(registry, options, clock, this::open);
    }

    private Hosted open(String id, CatalogConfig config) {
        return switch (config) {
            case CatalogConfig.Native ours -> natives.open(ours);
            case CatalogConfig.Rest rest -> upstreams.open(id, rest);
        };
    }

    /// Registers the native catalog of that id at its default warehouse, unless it is there, and opens it.
    public Outcome<Done> ensureNative(String id) {
        return guarded(true, () -> {
            administration.ensureNative(id);
            catalogs.get(id);
            return Done.DONE;
        });
    }

    /// Answers a question of this room. A [CallCatalog] is always answered by a reply.
    public Outcome<? extends Answer> answer(Question<?> question) {
        return switch (question) {
            case CallCatalog call -> Outcome.ok(reply(call));
            case LoadTable load ->
                inner(false, () -> catalogs.get(load.catalog()).load(load));
            case CommitTable commit ->
                inner(true, () -> catalogs.get(commit.catalog()).commit(commit));
            case FindClaim find ->
                inner(false, () -> catalogs.get(find.catalog()).find(find));
            case StorageOf of -> inner(false, () -> catalogs.get(of.catalog()).storage());
            case FindChannel find ->
                inner(false, () -> catalogs.get(find.catalog()).find(find));
            case HoldChannel hold ->
                inner(true, () -> catalogs.get(hold.catalog()).hold(hold));
            case CallChannel no -> stranger(no);
            case AwaitRows no -> stranger(no);
            case ListParked no -> stranger(no);
            case ReplayParked no -> stranger(no);
            case BeginRows no -> stranger(no);
            case SendRows no -> stranger(no);
            case EndRows no -> stranger(no);
            case AbortRows no -> stranger(no);
            case CommitFiles no -> stranger(no);
        };
    }

    private static Outcome<? extends Answer> stranger(Question<?> question) {
        return Outcome.failed(
                Failure.Kind.BUG,
                "not a question for the catalog room: " + question.getClass().getSimpleName());
    }

    private CatalogReply reply(CallCatalog question) {
        boolean writes = question.writes();
        return switch (guarded(writes, () -> dispatch(question))) {
            case Outcome.Ok<CatalogReply>(CatalogReply reply) -> reply;
            case Outcome.Failed<CatalogReply>(Failure failure) -> {
                if (Replies.isInternal(failure)) log(failure);
                yield Replies.failure(failure, writes);
            }
        };
    }

    private CatalogReply dispatch(CallCatalog question) {
        if (question.body().remaining() > options.bodyBytesMax()) {
            return Replies.error(
                    413, "PayloadTooLargeException", "A request body has at most " + options.bodyBytesMax() + " bytes");
        }
        Call call = Call.of(question);
        List<String> path = call.path();
        if (path.size() < 2) {
            CatalogReply reply = administration.answer(call);
            if (call.writes() && !path.isEmpty()) catalogs.forget(path.getFirst());
            return reply;
        }
        boolean isRest = path.get(1).equals("v1") && path.size() > 2;
        if (!isRest) {
            Optional<CatalogReply> beside = path.size() == 2 && BESIDE.contains(path.get(1))
                    ? catalogs.get(path.getFirst()).beside(call, path.get(1))
                    : Optional.empty();
            return beside.orElseThrow(() -> new FailureException(new Failure(
                    Failure.Kind.NOT_FOUND,
                    "NoSuchRouteException",
                    "No route for " + call.method() + " " + question.path())));
        }
        return Hops.within(
                call.headers(), () -> catalogs.get(path.getFirst()).answer(call, path.subList(2, path.size())));
    }

    private static void log(Failure failure) {
        LOG.atError().addKeyValue("failure", failure).log("catalog call failed");
    }

    /// Answers of other rooms' questions: what is broken here is not told to a client, but to the log.
    private static <T> Outcome<T> inner(boolean writes, Work<T> work) {
        Outcome<T> outcome = guarded(writes, work);
        if (outcome instanceof Outcome.Failed<T>(Failure failure)
                && (failure.kind() == Failure.Kind.CORRUPT || failure.kind() == Failure.Kind.BUG)) log(failure);
        return outcome;
    }

    private interface Work<T> {
        T run();
    }

    /// Runs straight-line work; what it throws becomes a failure, and a fault of this program is logged.
    private static <T> Outcome<T> guarded(boolean writes, Work<T> work) {
        try {
            return Outcome.ok(work.run());
        } catch (FailureException e) {
            return Outcome.failed(e.failure());
        } catch (RuntimeException e) {
            LOG.atError().setCause(e).log("catalog call failed by a fault of this program");
            Failure.Kind kind = writes ? Failure.Kind.UNKNOWN : Failure.Kind.BUG;
            return Outcome.failed(
                    kind, "a fault of this program: " + e.getClass().getSimpleName());
        }
    }
}
