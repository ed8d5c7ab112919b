package io.storageengine.checks.rooms;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.SimpleJavaFileObject;
import org.junit.jupiter.api.Test;

class TidyTest {
    private static final Path SOURCES = Path.of("src");
    private static final Path BUILT = Path.of("target");

    @Test
    void the_whole_tree_is_tidy() throws IOException {
        List<Source> sources = tree().stream().map(Source::read).toList();
        assertThat(sources).hasSizeGreaterThan(50);
        assertThat(Tidy.faults(sources)).isEmpty();
    }

    @Test
    void every_package_says_what_it_is_and_is_null_marked() throws IOException {
        Set<String> told = tree().stream()
                .filter(file -> file.endsWith("package-info.java"))
                .map(TidyTest::packageOf)
                .collect(Collectors.toSet());
        assertThat(tree().stream().map(TidyTest::packageOf).collect(Collectors.toSet()))
                .isSubsetOf(told);
    }

    @Test
    void the_check_sees_what_is_untidy() {
        String later = "// TO" + "DO tidy up\n";
        String longMethod = "class A { void m() {\n" + "int a;\n".repeat(60) + "} }";
        assertThat(faults("A.java", longMethod)).singleElement().asString().contains("method m has 62 lines");
        assertThat(faults("A.java", "class A {}\n" + "\n".repeat(500)))
                .singleElement()
                .asString()
                .contains("has 501 lines");
        assertThat(faults("AVerticle.java", "class A {}\n" + "\n".repeat(60))).hasSize(1);
        assertThat(faults("A.java", later + "class A {}")).hasSize(1);
        assertThat(faults("A.java", later.replace("DO", "DO(#12)") + "class A {}"))
                .isEmpty();
        assertThat(faults("A.java", "class A { class StoreHelper {} }")).hasSize(1);
        assertThat(faults("package-info.java", "package a;"))
                .singleElement()
                .asString()
                .contains("@NullMarked");
        assertThat(faults("A.java", "class A { void m() {} }")).isEmpty();
    }

    private static List<String> faults(String name, String text) {
        return Tidy.faults(List.of(new Source(Path.of("/" + name), text)));
    }

    /// The package's folder below its source root; tests share the package-info of what they test.
    private static String packageOf(Path file) {
        String name = file.toString();
        return name.substring(name.indexOf("/java/") + "/java/".length(), name.lastIndexOf('/'));
    }

    private static List<Path> tree() throws IOException {
        Path top = Stream.iterate(
                        Path.of("").toAbsolutePath(),
                        folder -> folder.resolve("..").normalize())
                .filter(folder -> Files.isDirectory(folder.resolve(".mvn")))
                .findFirst()
                .orElseThrow();
        try (Stream<Path> all = Files.walk(top)) {
            return all.filter(file -> file.toString().endsWith(".java"))
                    .filter(file -> isSource(top.relativize(file)))
                    .sorted()
                    .toList();
        }
    }

    private static boolean isSource(Path file) {
        boolean source = false;
        for (Path part : file) {
            if (part.equals(BUILT) || part.toString().startsWith(".")) return false;
            source |= part.equals(SOURCES);
        }
        return source;
    }

    private static final class Source extends SimpleJavaFileObject {
        private final String text;

        Source(Path file, String text) {
            super(URI.create("file://" + file), Kind.SOURCE);
            this.text = text;
        }

        static Source read(Path file) {
            try {
                return new Source(file, Files.readString(file, StandardCharsets.UTF_8));
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }
}
