package io.storageengine.catalog.secrets;

import io.storageengine.core.Done;
import io.storageengine.core.Failure;
import io.storageengine.core.Outcome;
import java.util.Map;

/// For work on catalogs that have no secrets: it keeps none and knows none.
public record NoSecrets() implements SecretStore {
    @Override
    public Outcome<Done> put(String catalog, String registration, Map<String, String> secrets) {
        return Outcome.failed(Failure.Kind.BUG, "no secrets are kept here");
    }

    @Override
    public Outcome<Map<String, String>> get(String catalog, String registration) {
        return Outcome.failed(Failure.Kind.NOT_FOUND, "no secrets are kept here");
    }

    @Override
    public Outcome<Done> delete(String catalog, String registration) {
        return Outcome.done();
    }
}
