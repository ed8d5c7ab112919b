package io.storageengine.gateway.node;

import java.io.PrintStream;

/// What is printed once the node serves: what to paste next.
final class Greeting {
    private Greeting() {}

    static void print(Settings settings, Node node, PrintStream out) {
        String host = settings.server().host();
        String address = (host.contains(":") ? "[" + host + "]" : host) + ":" + node.port();
        if (settings.server().insecure() && !settings.auth().asks()) {
            out.println("WARNING: --insecure: whoever reaches " + address + " may read, write and delete everything.");
        }
        out.println("Storage Engine listens on http://" + address);
        if (settings.auth().asks() && settings.auth().token().isEmpty()) {
            out.println("Bearer tokens are asked for. The first is made with the settings of the storage:");
            out.println("  se tokens create --principal NAME --right '*:admin' --storage ...");
        }
        if (settings.mode() == Mode.DEV) dev(settings.server().url(node.port()), node, out);
        out.flush();
    }

    private static void dev(String base, Node node, PrintStream out) {
        out.println();
        out.println("Is it there?");
        out.println("  curl -f " + base + "/health");
        out.println("Put rows in (namespace and table are made on first use):");
        out.println("  echo '{\"hello\":\"world\",\"n\":1}' | curl -f '" + base
                + "/catalogs/dev/v1/namespaces/demo/tables/hello/rows?create=true&ack=committed' \\");
        out.println("       -H 'Content-Type: application/x-ndjson' --data-binary @-");
        out.println(
                "Read them with Spark, PyIceberg or DuckDB; the Iceberg REST URI is all they need (Trino needs the keys below too):");
        out.println("  " + base + "/catalogs/dev");
        out.println("The S3 API is at " + base + " (path style) with");
        out.println("  AWS_ACCESS_KEY_ID=" + node.accessKey().id());
        out.println("  AWS_SECRET_ACCESS_KEY=" + node.accessKey().secret());
    }
}
