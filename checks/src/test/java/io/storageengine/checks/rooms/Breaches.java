package io.storageengine.checks.rooms;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/// A house where every rule is broken, compiled for the occasion: proof that the rules bite.
final class Breaches {
    private static final List<String> ROOMS = List.of(
            "core",
            "store",
            "bus",
            "iceberg",
            "proto",
            "catalog",
            "ingest",
            "commit",
            "gateway.door",
            "gateway.auth",
            "gateway.node",
            "gateway.iceberg",
            "gateway.s3",
            "gateway.grpc",
            "gateway.flight",
            "gateway.ingest",
            "gateway.ops",
            "gateway.ui");

    /// What a class of each room reaches for, besides `gateway.node`, which nobody may.
    private static final Map<String, String> REACHES = Map.of(
            "core", "java.net.URI uri; void run() { Thread.ofVirtual().start(() -> {}); }",
            "store", "io.vertx.core.Vertx vertx;",
            "bus", "org.apache.iceberg.Schema schema;",
            "iceberg", "io.vertx.core.Vertx vertx;",
            "catalog", "io.vertx.core.Vertx vertx; io.netty.buffer.ByteBuf buffer;",
            "ingest", "io.storageengine.bus.Thing bus; io.netty.buffer.ByteBuf buffer;",
            "commit", "io.vertx.core.Vertx vertx; io.netty.buffer.ByteBuf buffer;");

    private Breaches() {}

    static JavaClasses compiledTo(Path folder) {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        List<Source> sources = ROOMS.stream()
                .flatMap(room -> Stream.of(
                        new Source(room, "Thing", ""),
                        new Source(
                                room,
                                "Breach",
                                REACHES.getOrDefault(room, "") + " io.storageengine.gateway.node.Thing node;")))
                .toList();
        boolean done = compiler.getTask(null, null, null, List.of("-proc:none", "-d", folder.toString()), null, sources)
                .call();
        if (!done) throw new AssertionError("the breaches do not compile: " + ROOMS);
        return new ClassFileImporter().importPath(folder);
    }

    private static final class Source extends SimpleJavaFileObject {
        private final String text;

        Source(String room, String name, String body) {
            super(
                    URI.create("string:///" + Stream.of(room.split("\\.", -1)).collect(Collectors.joining("/")) + "/"
                            + name + ".java"),
                    Kind.SOURCE);
            text = "package io.storageengine." + room + "; public class " + name + " { " + body + " }";
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }
}
