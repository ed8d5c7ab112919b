package io.storageengine.catalog.registry;

import io.storageengine.catalog.secrets.SecretNames;
import java.net.URI;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// What kind of catalog it is and where.
public sealed interface CatalogConfig {
    /// As the API shows it; secrets are masked.
    Map<String, Object> shown();

    /// This engine is the catalog.
    ///
    /// @param bucket of the warehouse
    /// @param prefix of the warehouse: empty, or ending in `/`
    record Native(String bucket, String prefix) implements CatalogConfig {
        @Override
        public Map<String, Object> shown() {
            Map<String, Object> shown = new LinkedHashMap<>();
            shown.put("type", "native");
            shown.put("warehouse", "s3://" + bucket + "/" + prefix);
            return shown;
        }
    }

    /// An Iceberg REST catalog elsewhere.
    ///
    /// @param uri its base, without `/v1`
    /// @param warehouse what it is asked for
    /// @param properties of the connection and of file access; with secrets only in memory
    record Rest(URI uri, Optional<String> warehouse, Map<String, String> properties) implements CatalogConfig {
        public Rest {
            properties = Map.copyOf(properties);
        }

        @Override
        public Map<String, Object> shown() {
            Map<String, Object> shown = new LinkedHashMap<>();
            shown.put("type", "rest");
            shown.put("uri", uri.toString());
            warehouse.ifPresent(name -> shown.put("warehouse", name));
            Map<String, String> masked = new TreeMap<>(properties);
            masked.replaceAll((name, value) -> SecretNames.isSecret(name) ? SecretNames.MASK : value);
            shown.put("properties", masked);
            return shown;
        }

        /// The properties that are secrets.
        Map<String, String> secrets() {
            Map<String, String> secrets = new HashMap<>(properties);
            secrets.keySet().removeIf(name -> !SecretNames.isSecret(name));
            return secrets;
        }

        Rest with(Map<String, String> secrets) {
            Map<String, String> all = new HashMap<>(properties);
            all.putAll(secrets);
            return new Rest(uri, warehouse, all);
        }

        @Override
        public String toString() {
            return "Rest[" + shown() + "]";
        }
    }

    /// The secrets in this configuration.
    default Map<String, String> secretsOf() {
        return switch (this) {
            case Native n -> Map.of();
            case Rest rest -> rest.secrets();
        };
    }
}
