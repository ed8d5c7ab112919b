package io.storageengine.gateway.node;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

/// Uses a node once in every way, so that the JVM's AOT cache knows the classes of a start and of first
/// requests.
final class Training {
    private static final String ROWS = "/catalogs/dev/v1/namespaces/demo/tables/hello/rows?create=true&ack=committed";

    private Training() {}

    static void run(Node node) throws InterruptedException {
        String base = "http://127.0.0.1:" + node.port();
        try (HttpClient client =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
            get(client, base + "/health");
            get(client, base + "/health/ready");
            get(client, base + "/metrics");
            get(client, base + "/catalogs/dev/v1/config");
            get(client, base + "/");
            HttpRequest rows = HttpRequest.newBuilder(URI.create(base + ROWS))
                    .timeout(Duration.ofSeconds(30))
                    .header("Content-Type", "application/x-ndjson")
                    .POST(HttpRequest.BodyPublishers.ofString("{\"hello\":\"world\",\"n\":1}\n"))
                    .build();
            send(client, rows);
            get(client, base + "/catalogs/dev/v1/namespaces/demo/tables/hello");
        }
    }

    private static void get(HttpClient client, String uri) throws InterruptedException {
        send(
                client,
                HttpRequest.newBuilder(URI.create(uri))
                        .timeout(Duration.ofSeconds(30))
                        .build());
    }

    private static void send(HttpClient client, HttpRequest request) throws InterruptedException {
        try {
            client.send(request, HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new StartRefused("training: " + e.getMessage());
        }
    }
}
