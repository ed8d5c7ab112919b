package io.storageengine.catalog.registry;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.storageengine.catalog.secrets.SecretStore;
import io.storageengine.core.Done;
import io.storageengine.core.Failure;
import io.storageengine.core.FailureException;
import io.storageengine.core.Ids;
import io.storageengine.core.Outcome;
import io.storageengine.core.store.Content;
import io.storageengine.core.store.ObjectInfo;
import io.storageengine.core.store.ObjectStore;
import io.storageengine.core.store.PutOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/// The registrations, one object each: `catalogs/{id}.json` in the cluster storage, written with put-if-absent.
/// Failures are thrown as [FailureException].
public final class Registry {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final ObjectStore store;
    private final SecretStore secrets;
    private final ConfigParser parser;
    private final Ids ids;

    public Registry(ObjectStore store, SecretStore secrets, ConfigParser parser, Ids ids) {
        this.store = store;
        this.secrets = secrets;
        this.parser = parser;
        this.ids = ids;
    }

    /// Registers a catalog; `EXISTS` (`AlreadyExistsException`).
    public Registration create(String id, CatalogConfig config) {
        Registration fresh = new Registration(id, ids.uuid().toString(), config);
        Map<String, String> hidden = config.secretsOf();
        if (!hidden.isEmpty()) secrets.put(id, fresh.registration(), hidden).orThrow();
        Outcome<ObjectInfo> put = store.put(path(id), Content.of(encode(fresh)), PutOptions.IF_ABSENT);
        if (put instanceof Outcome.Failed<ObjectInfo>(Failure failure) && !isThere(fresh)) {
            throw refused(fresh, failure);
        }
        return fresh;
    }

    private FailureException refused(Registration fresh, Failure failure) {
        // After an unknown outcome the registration may still appear, and need its secrets.
        if (failure.code().equals(ObjectStore.UNDECIDED))
            return new FailureException(Failure.Kind.UNKNOWN, failure.message());
        if (failure.kind() != Failure.Kind.CONFLICT) return new FailureException(failure);
        secrets.delete(fresh.id(), fresh.registration());
        return new FailureException(
                new Failure(Failure.Kind.EXISTS, "AlreadyExistsException", "Catalog already exists: " + fresh.id()));
    }

    /// A store that repeats a request by itself may report its own first try as somebody else's.
    private boolean isThere(Registration fresh) {
        return find(fresh.id())
                .map(found -> found.registration().equals(fresh.registration()))
                .orElse(false);
    }

    /// The registration of an id, without its secrets. One GET.
    public Optional<Registration> find(String id) {
        return switch (store.read(path(id))) {
            case Outcome.Ok<ByteBuffer>(ByteBuffer json) -> Optional.of(decode(id, json));
            case Outcome.Failed<ByteBuffer>(Failure failure) -> {
                if (failure.kind() == Failure.Kind.NOT_FOUND && failure.code().equals("NoSuchKey")) {
                    yield Optional.empty();
                }
                throw new FailureException(failure);
            }
        };
    }

    /// The configuration of a registration, with its secrets. One GET when it has any.
    public CatalogConfig reveal(Registration registration) {
        return switch (registration.config()) {
            case CatalogConfig.Native ours -> ours;
            case CatalogConfig.Rest rest ->
                rest.secrets().isEmpty()
                        ? rest
                        : rest.with(secrets.get(registration.id(), registration.registration())
                                .orThrow());
        };
    }

    /// Forgets a catalog and its secrets, never its data.
    void delete(String id) {
        Optional<Registration> found = find(id);
        if (found.isEmpty()) return;
        Outcome<Done> gone = store.delete(path(id));
        gone.orThrow();
        secrets.delete(id, found.get().registration()).orThrow();
    }

    private static String path(String id) {
        return "catalogs/" + id + ".json";
    }

    private static byte[] encode(Registration registration) {
        Map<String, Object> stored = new LinkedHashMap<>();
        stored.put("version", 1);
        stored.put("registration", registration.registration());
        stored.put("config", registration.config().shown());
        try {
            return JSON.writeValueAsBytes(stored);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Registration decode(String id, ByteBuffer json) {
        byte[] bytes = new byte[json.remaining()];
        json.duplicate().get(bytes);
        try {
            JsonNode stored = JSON.readTree(bytes);
            return new Registration(id, stored.path("registration").asText(), parser.parse(id, stored.path("config")));
        } catch (IOException e) {
            throw new FailureException(Failure.Kind.CORRUPT, "The registration of catalog " + id + " cannot be read");
        } catch (FailureException e) {
            throw new FailureException(
                    Failure.Kind.CORRUPT,
                    "The registration of catalog " + id + " is not usable: "
                            + e.failure().message());
        }
    }
}
