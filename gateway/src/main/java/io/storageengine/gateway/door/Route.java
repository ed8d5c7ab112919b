package io.storageengine.gateway.door;

import java.util.List;

/// What a request is about, told by its method and path alone.
public sealed interface Route {
    /// Whether the process lives: `/health`.
    record Health() implements Route {}

    /// Whether it can work: `/health/ready`.
    record Ready() implements Route {}

    /// Prometheus text: `/metrics`.
    record Metrics() implements Route {}

    /// Catalog administration and the Iceberg REST API: `/catalogs…`, answered by the catalog room.
    record Catalog() implements Route {}

    /// Rows for a table: `/catalogs/{catalog}/v1/namespaces/{ns}/tables/{table}/rows`, to be posted to.
    ///
    /// @param namespace its levels, decoded
    record Rows(String catalog, List<String> namespace, String table) implements Route {
        public Rows {
            namespace = List.copyOf(namespace);
        }
    }

    /// A channel of a table: `/catalogs/{catalog}/v1/namespaces/{ns}/tables/{table}/channels/{channel}`.
    ///
    /// @param namespace its levels, decoded
    /// @param action what follows the channel's name; empty when nothing does
    record Channel(String catalog, List<String> namespace, String table, String channel, String action)
            implements Route {
        public Channel {
            namespace = List.copyOf(namespace);
        }
    }

    /// Whether rows are in a snapshot: `/catalogs/{catalog}/v1/namespaces/{ns}/tables/{table}/committed`.
    ///
    /// @param namespace its levels, decoded
    record Committed(String catalog, List<String> namespace, String table) implements Route {
        public Committed {
            namespace = List.copyOf(namespace);
        }
    }

    /// Rows that no table could take: `/catalogs/{catalog}/parked` and `/catalogs/{catalog}/parked/{id}/replay`.
    ///
    /// @param id empty for all of them
    record Parked(String catalog, String id) implements Route {}

    /// A catalog's events: `/catalogs/{catalog}/events`.
    record Events() implements Route {}

    /// Bearer tokens: `/cluster/tokens` and `/cluster/tokens/{id}`.
    ///
    /// @param id empty for all of them
    record Tokens(String id) implements Route {}

    /// The S3 API: `/`, `/{bucket}` and `/{bucket}/{key}`, decoded and otherwise as sent: `//`, `.` and `..`
    /// in keys mean themselves.
    ///
    /// @param bucket empty for the service itself
    /// @param key empty for the bucket itself
    record Storage(String bucket, String key) implements Route {}

    /// Under a reserved name, but nothing is there.
    record Absent() implements Route {}

    /// A path that is no path: a broken percent-encoding.
    ///
    /// @param storage true where the answer is S3's
    record Malformed(boolean storage) implements Route {}
}
