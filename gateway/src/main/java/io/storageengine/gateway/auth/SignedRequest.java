package io.storageengine.gateway.auth;

import io.storageengine.gateway.door.Target;
import java.util.List;
import java.util.Map;

/// What a signature covers of a request.
///
/// @param rawPath as sent
/// @param params of the query, decoded, in order
/// @param headers names in lower case
public record SignedRequest(String method, String rawPath, List<Target.Param> params, Map<String, String> headers) {
    public SignedRequest {
        params = List.copyOf(params);
        headers = Map.copyOf(headers);
    }

    /// The first value of a parameter; empty when it is not there.
    String param(String name) {
        return params.stream()
                .filter(param -> param.name().equals(name))
                .map(Target.Param::value)
                .findFirst()
                .orElse("");
    }

    String header(String name) {
        return headers.getOrDefault(name, "");
    }
}
