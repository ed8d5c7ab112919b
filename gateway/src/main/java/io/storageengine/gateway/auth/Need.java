package io.storageengine.gateway.auth;

import io.storageengine.core.Failure;
import io.storageengine.gateway.door.Percent;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// What a caller must be allowed to do for a request of `/catalogs…` to be carried on: told by its method and
/// path, before anything is looked up. Pure.
///
/// What is not known here needs more, never less: an unknown POST needs `write`, an unknown path `admin`.
public sealed interface Need {
    /// That much on that catalog.
    ///
    /// @param catalog the id in the path, decoded, also when it is none; `*` for all
    record On(String catalog, Level level) implements Need {}

    /// `admin` on the catalog that the body names: `POST /catalogs`.
    record Registering() implements Need {
        /// Why that caller may not register the catalog of that body; empty when they may. Who administers
        /// every catalog may put one anywhere, others only their own at its default place: elsewhere may be a
        /// tenant's. What names no catalog is refused to them too.
        public Optional<Failure> refusal(Caller caller, byte[] body) {
            if (caller.may(Right.EVERY, Level.ADMIN)) return Optional.empty();
            String id = RegistrationBody.ownPlace(body).orElse(Right.EVERY);
            return new On(id, Level.ADMIN).refusal(caller);
        }
    }

    /// @param rawPath as sent, percent-encoded
    static Need of(String method, String rawPath) {
        List<String> parts = Arrays.asList(rawPath.split("/", -1));
        int size = parts.getLast().isEmpty() ? parts.size() - 1 : parts.size();
        if (size < 3) return method.equals("POST") ? new Registering() : new On(Right.EVERY, Level.ADMIN);
        String catalog = Percent.decode(parts.get(2)).orElse("");
        boolean rest = size > 4 && parts.get(3).equals("v1");
        if (rest) return new On(catalog, level(method, parts.subList(4, parts.size())));
        boolean looksBack = method.equals("GET") && size == 4 && isHistory(parts.get(3));
        return new On(catalog, looksBack ? Level.READ : Level.ADMIN);
    }

    private static boolean isHistory(String name) {
        return name.equals("history") || name.equals("events");
    }

    /// @param path raw segments after `v1`
    private static Level level(String method, List<String> path) {
        boolean ofTable = path.size() >= 5
                && path.getFirst().equals("namespaces")
                && path.get(2).equals("tables");
        String last = ofTable ? path.get(4) : "";
        return switch (method) {
            // Credentials open more than this catalog until each principal has its own.
            case "GET", "HEAD" -> last.equals("credentials") ? Level.WRITE : Level.READ;
            case "POST" -> path.size() == 5 && isReading(last) ? Level.READ : Level.WRITE;
            case "DELETE" -> path.size() == 6 && last.equals("plan") ? Level.READ : Level.WRITE;
            default -> Level.WRITE;
        };
    }

    /// What is sent by POST and changes nothing: planning a scan, fetching its tasks, reporting metrics.
    private static boolean isReading(String last) {
        return last.equals("plan") || last.equals("tasks") || last.equals("metrics");
    }

    /// Why that caller may not; empty when they may. The answer does not tell whether the catalog is there.
    default Optional<Failure> refusal(Caller caller) {
        return switch (this) {
            case On(String catalog, Level level) ->
                caller.may(catalog, level) ? Optional.empty() : lacking(caller, catalog, level);
            case Registering r ->
                caller.administersSomething() ? Optional.empty() : lacking(caller, Right.EVERY, Level.ADMIN);
        };
    }

    private static Optional<Failure> lacking(Caller caller, String catalog, Level level) {
        String where = catalog.equals(Right.EVERY) ? "every catalog" : "this catalog";
        return Optional.of(new Failure(
                Failure.Kind.FORBIDDEN,
                "The token of " + caller.principal() + " has no right to '" + level.word() + "' on " + where
                        + ": ask for one"));
    }
}
