package io.storageengine.checks.rooms;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchRule;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// Who may import what, as in `docs/ARCHITECTURE.md`: a room names what it may enter of ours, and what of
/// others it may not.
final class Rooms {
    private static final String ROOT = "io.storageengine.";
    private static final String[] FRONTS = {"iceberg", "s3", "grpc", "flight", "ingest", "ops", "ui"};

    private Rooms() {}

    static List<ArchRule> rules() {
        List<ArchRule> rules = new ArrayList<>();
        rules.addAll(core());
        rules.addAll(libraries());
        for (String room : List.of("catalog", "ingest", "commit")) rules.addAll(verticle(room));
        rules.addAll(gateway());
        return rules.stream().map(rule -> rule.allowEmptyShould(true)).toList();
    }

    private static List<ArchRule> core() {
        ArchRule plain = classes()
                .that(in("core"))
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage("java..", "org.jspecify..", ROOT + "core.."))
                .as("core stands on java.base and jspecify alone");
        ArchRule still = noClasses()
                .that(in("core"))
                .should()
                .dependOnClassesThat(describe("do I/O or run threads", Rooms::isActive))
                .as("core has no threads, files or sockets");
        ArchRule alone = noClasses()
                .that(in("core"))
                .should()
                .callMethodWhere(describe(
                        "start a thread",
                        call -> call.getTargetOwner().getName().equals("java.lang.Thread")
                                && !List.of("currentThread", "interrupt").contains(call.getName())))
                .as("core starts no thread");
        return List.of(plain, still, alone);
    }

    private static boolean isActive(JavaClass type) {
        String name = type.getPackageName();
        boolean io =
                name.startsWith("java.net") || name.startsWith("java.nio.file") || name.startsWith("java.nio.channels");
        return io || name.equals("java.util.concurrent");
    }

    private static List<ArchRule> libraries() {
        return List.of(
                enters("store", "core"),
                avoids("store", "io.vertx..", "org.apache.iceberg..", "org.apache.arrow..", "org.apache.parquet.."),
                enters("bus", "core", "proto"),
                avoids(
                        "bus",
                        "software.amazon..",
                        "org.apache.iceberg..",
                        "org.apache.arrow..",
                        "org.apache.parquet.."),
                enters("iceberg", "core"),
                avoids("iceberg", "io.vertx..", "io.netty.."),
                enters("proto"));
    }

    private static List<ArchRule> verticle(String room) {
        ArchRule quiet = noClasses()
                .that(in(room))
                .and(describe("are no verticle", type -> !isVerticle(type)))
                .should()
                .dependOnClassesThat(resideInAnyPackage("io.vertx..", ROOT + "bus.."))
                .as(room + " touches Vert.x and the bus in its verticle only");
        return List.of(enters(room, "core", "iceberg", "bus"), quiet, avoids(room, "software.amazon..", "io.netty.."));
    }

    private static boolean isVerticle(JavaClass type) {
        String name = type.getName();
        int nested = name.indexOf('$');
        return (nested < 0 ? name : name.substring(0, nested)).endsWith("Verticle");
    }

    private static List<ArchRule> gateway() {
        List<ArchRule> rules = new ArrayList<>();
        rules.add(enters("gateway.door", "core", "bus"));
        rules.add(enters("gateway.auth", "core", "bus", "gateway.door"));
        for (String front : FRONTS) {
            rules.add(enters("gateway." + front, "core", "bus", "gateway.door", "gateway.auth"));
        }
        rules.add(noClasses()
                .that()
                .resideOutsideOfPackage(ROOT + "gateway.node..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage(ROOT + "gateway.node..")
                .as("nobody enters gateway.node"));
        return rules;
    }

    private static ArchRule enters(String room, String... others) {
        String[] open = Stream.concat(Stream.of(room), Stream.of(others))
                .map(name -> ROOT + name + "..")
                .toArray(String[]::new);
        return noClasses()
                .that(in(room))
                .should()
                .dependOnClassesThat(
                        resideInAPackage("io.storageengine..").and(DescribedPredicate.not(resideInAnyPackage(open))))
                .as(room + " enters only " + List.of(others));
    }

    private static ArchRule avoids(String room, String... foreign) {
        return noClasses()
                .that(in(room))
                .should()
                .dependOnClassesThat(resideInAnyPackage(foreign))
                .as(room + " has nothing to do with " + List.of(foreign));
    }

    private static DescribedPredicate<JavaClass> in(String room) {
        return resideInAPackage(ROOT + room + "..");
    }
}
