package io.storageengine.gateway.node;

import java.nio.file.Path;
import java.util.Optional;

/// The whole configuration, read once at start.
record Settings(
        Mode mode,
        String nodeName,
        Server server,
        Storage storage,
        Ingest ingest,
        Catalog catalog,
        Secrets secrets,
        Auth auth,
        String logLevel) {

    /// @param host name or address to listen on
    /// @param port 0 for any free one
    /// @param url how clients reach the node; empty when it is as the address says
    /// @param insecure whether the node may let everybody in
    record Server(
            String host,
            int port,
            String url,
            int requestsMax,
            int restBodyBytesMax,
            long stopMillis,
            boolean insecure) {
        /// How clients reach the node that listens on `actualPort`. A wildcard address is reached by loopback.
        String url(int actualPort) {
            if (!url.isEmpty()) return url;
            boolean wildcard = host.equals("0.0.0.0") || host.equals("::");
            String reachable = wildcard ? "127.0.0.1" : host;
            return "http://" + (reachable.contains(":") ? "[" + reachable + "]" : reachable) + ":" + actualPort;
        }
    }

    /// Where everything durable lies.
    sealed interface Storage {}

    /// A folder of the local disk: `buckets/` and `cluster/` in it.
    record LocalStorage(Path folder) implements Storage {}

    /// A bucket; cluster storage lies under `prefix` in it.
    ///
    /// @param prefix empty or ends with `/`
    /// @param endpoint empty for AWS
    /// @param keys given only by the seed engine's variables; else the AWS SDK finds them
    record S3Storage(
            String bucket, String prefix, String endpoint, String region, boolean pathStyle, Optional<Keys> keys)
            implements Storage {}

    /// A key pair for the object store.
    record Keys(String id, String secret) {
        @Override
        public String toString() {
            return "Keys[" + id + "]";
        }
    }

    record Ingest(
            long memoryBytesMax,
            long atomicBytesMax,
            long inlineBytesMax,
            long commitIntervalMillis,
            long commitBytes) {}

    /// @param replacesForeignLocations whether a location that is not `s3://` is replaced instead of refused
    record Catalog(boolean replacesForeignLocations) {}

    /// @param keyFile empty when the key is given itself, or is `dev`'s own
    record Secrets(Optional<Path> keyFile, String key) {
        @Override
        public String toString() {
            return "Secrets[" + keyFile + "]";
        }
    }

    /// @param asks whether a bearer token is asked for
    /// @param token the administrator's; empty: there is none
    record Auth(boolean asks, String token) {
        @Override
        public String toString() {
            return "Auth[" + asks + (token.isEmpty() ? "" : ", token") + "]";
        }
    }
}
