package io.storageengine.gateway.door;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// A request's target as sent (RFC 9112, section 3.2), nothing normalised.
///
/// @param path percent-encoded, begins with `/`
/// @param query without `?`; empty when there is none
public record Target(String path, String query) {
    /// One query parameter, decoded; an absent value is the empty string.
    public record Param(String name, String value) {}

    /// Takes origin form (`/a?b`) and absolute form (`http://host/a?b`).
    public static Target parse(String uri) {
        String origin = uri;
        int scheme = uri.startsWith("/") ? -1 : uri.indexOf("://");
        if (scheme > 0) {
            int slash = uri.indexOf('/', scheme + 3);
            origin = slash < 0 ? "/" : uri.substring(slash);
        }
        int question = origin.indexOf('?');
        return question < 0
                ? new Target(origin, "")
                : new Target(origin.substring(0, question), origin.substring(question + 1));
    }

    /// The query's parameters in order; empty when an escape is broken. A `+` is a space where `plusIsSpace`.
    public Optional<List<Param>> params(boolean plusIsSpace) {
        List<Param> params = new ArrayList<>();
        for (String part : query.split("&", -1)) {
            if (part.isEmpty()) continue;
            int equals = part.indexOf('=');
            String name = equals < 0 ? part : part.substring(0, equals);
            String value = equals < 0 ? "" : part.substring(equals + 1);
            Optional<String> plainName = decode(name, plusIsSpace);
            Optional<String> plainValue = decode(value, plusIsSpace);
            if (plainName.isEmpty() || plainValue.isEmpty()) return Optional.empty();
            params.add(new Param(plainName.get(), plainValue.get()));
        }
        return Optional.of(params);
    }

    /// The first parameter of a name, `+` being a space; empty when it is not there or an escape is broken.
    public Optional<String> parameter(String name) {
        return params(true)
                .flatMap(all -> all.stream()
                        .filter(param -> param.name().equals(name))
                        .map(Param::value)
                        .findFirst());
    }

    private static Optional<String> decode(String raw, boolean plusIsSpace) {
        return Percent.decode(plusIsSpace ? raw.replace('+', ' ') : raw);
    }
}
