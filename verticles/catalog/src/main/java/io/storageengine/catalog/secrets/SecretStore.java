package io.storageengine.catalog.secrets;

import io.storageengine.core.Done;
import io.storageengine.core.Outcome;
import java.util.Map;

/// Where secrets of catalogs are kept. Calls block and may come from any number of virtual threads.
///
/// Secrets belong to one registration of a catalog, so that a catalog that is deleted and registered again
/// never sees the old ones, and a registration that loses a race never overwrites the winner's. Nothing in a
/// failure tells a secret.
public interface SecretStore {
    /// Keeps the secrets of a registration. Failures as those of [io.storageengine.core.store.ObjectStore#put].
    Outcome<Done> put(String catalog, String registration, Map<String, String> secrets);

    /// The secrets of a registration; `NOT_FOUND` when there are none, `CORRUPT` when they cannot be read with
    /// this key.
    Outcome<Map<String, String>> get(String catalog, String registration);

    /// Forgets the secrets of a registration; none counts as forgotten.
    Outcome<Done> delete(String catalog, String registration);
}
