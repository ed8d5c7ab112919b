package io.storageengine.gateway.node;

import java.util.Locale;

/// Every configuration key: a flag `--name`, an environment variable `SE_NAME` (`.` and `-` become `_`), and a
/// default. A flag wins over the environment.
enum Key {
    SERVER_ADDRESS("server.address", "127.0.0.1:7777", "host:port to listen on"),
    SERVER_URL("server.url", "", "how clients reach this node; empty: http:// and the address"),
    SERVER_REQUESTS_MAX("server.requests-max", "1000", "requests inside at once; one more is told to come back"),
    SERVER_REST_BODY_BYTES_MAX("server.rest-body-bytes-max", "33554432", "largest body on the REST paths"),
    SERVER_STOP_MS(
            "server.stop-ms",
            "20000",
            "how long a stop may take: half for requests under way, half for what was accepted"),
    INSECURE("insecure", "false", "let everybody in: serve without tokens, dev beyond loopback"),
    STORAGE("storage", "local:./se-data", "", "local:DIR (dev) or s3://bucket/prefix"),
    OPENDAL_SERVICE("opendal-service", "", "s3: take bucket and endpoint from OPENDAL_S3_*; the seed engine's key"),
    S3_ENDPOINT("s3.endpoint", "", "URL of the S3 service; empty for AWS"),
    S3_REGION("s3.region", "", "region of the bucket; empty: AWS_REGION, else us-east-1"),
    S3_PATH_STYLE("s3.path-style", "true", "bucket in the path (true) or in the host name (false)"),
    NODE_NAME("node.name", "se", "names this node's write-ahead logs"),
    INGEST_MEMORY_BYTES_MAX(
            "ingest.memory-bytes-max", "1073741824", "memory for rows on their way; past it requests get 429"),
    INGEST_ATOMIC_BYTES_MAX(
            "ingest.atomic-bytes-max", "1073741824", "largest body taken whole or not at all; past it 413"),
    INGEST_INLINE_BYTES_MAX(
            "ingest.inline-bytes-max", "16777216", "requests up to this go into the write-ahead log itself"),
    INGEST_COMMIT_INTERVAL_MS("ingest.commit-interval-ms", "1000", "10000", "commit when rows have waited this long"),
    INGEST_COMMIT_BYTES("ingest.commit-bytes", "134217728", "commit when this much waits for one table"),
    CATALOG_REPLACE_FOREIGN_LOCATIONS(
            "catalog.replace-foreign-locations",
            "false",
            "put a table or view at a place of ours where its location is not s3:// (else that is refused)"),
    SECRETS_KEY_FILE("secrets.key-file", "", "file with the 32-byte key (hex or base64) that encrypts secrets"),
    SECRETS_KEY("secrets.key", "", "that key itself; better given as SE_SECRETS_KEY than as a flag"),
    AUTH_TOKENS("auth.tokens", "false", "true", "ask for bearer tokens; with --insecure only when said so"),
    AUTH_TOKEN("auth.token", "", "the administrator's bearer token; better given as SE_AUTH_TOKEN"),
    LOG_LEVEL("log.level", "info", "error, warn, info or debug");

    private final String flag;
    private final String dev;
    private final String serve;
    private final String meaning;

    Key(String flag, String standard, String meaning) {
        this(flag, standard, standard, meaning);
    }

    Key(String flag, String dev, String serve, String meaning) {
        this.flag = flag;
        this.dev = dev;
        this.serve = serve;
        this.meaning = meaning;
    }

    /// The dotted name.
    String flag() {
        return flag;
    }

    String env() {
        return "SE_" + flag.replace('.', '_').replace('-', '_').toUpperCase(Locale.ROOT);
    }

    String standard(Mode mode) {
        return switch (mode) {
            case DEV -> dev;
            case SERVE -> serve;
        };
    }

    String meaning() {
        return meaning;
    }
}
