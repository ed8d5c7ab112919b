package io.storageengine.gateway.node;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

/// Uses a node once in every way, so that the JVM's AOT cache knows the classes of a start and of first
/// requests; and loads rows, so that it knows which of their methods are worth compiling and how they run.
final class Training {
    private static final String TABLES = "/catalogs/dev/v1/namespaces/demo/tables/";
    private static final String ROWS = "/rows?create=true&ack=";
    private static final int BODIES = 10;
    private static final int ROWS_A_BODY = 20_000;

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
            post(client, base + TABLES + "hello" + ROWS + "committed", "{\"hello\":\"world\",\"n\":1}\n");
            get(client, base + TABLES + "hello");
            for (int i = 0; i < BODIES; i++) {
                String ack = i < BODIES - 1 ? "durable" : "committed";
                post(client, base + TABLES + "events" + ROWS + ack, events(i * ROWS_A_BODY));
            }
        }
    }

    /// Rows as they come: a key, a time, few and many different texts, numbers, some left out.
    private static String events(int first) {
        StringBuilder rows = new StringBuilder();
        for (int i = first; i < first + ROWS_A_BODY; i++) {
            rows.append("{\"id\":").append(i).append(",\"at\":\"2026-01-01T10:");
            rows.append(10 + i % 50)
                    .append(":")
                    .append(10 + i % 49)
                    .append('.')
                    .append(100_000 + i)
                    .append("Z\"");
            rows.append(",\"account\":\"account-").append(i * 7919L % 250_007).append('"');
            rows.append(",\"kind\":\"kind ")
                    .append(i % 5)
                    .append("\",\"amount\":")
                    .append(i * 104_729L % 1_000_003 / 100.0);
            rows.append(",\"share\":").append(i * 15_485_863L % 999_983 / 999_983.0);
            rows.append(",\"open\":").append(i % 3 == 0);
            rows.append(i % 4 == 0 ? "}\n" : ",\"note\":\"b\u00e4r\"}\n");
        }
        return rows.toString();
    }

    private static void post(HttpClient client, String uri, String rows) throws InterruptedException {
        send(
                client,
                HttpRequest.newBuilder(URI.create(uri))
                        .timeout(Duration.ofSeconds(60))
                        .header("Content-Type", "application/x-ndjson")
                        .POST(HttpRequest.BodyPublishers.ofString(rows))
                        .build());
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
