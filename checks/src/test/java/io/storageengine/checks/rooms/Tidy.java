package io.storageengine.checks.rooms;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreeScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;

/// How big things may grow and what they may be called.
final class Tidy {
    private static final int FILE_LINES_MAX = 500;
    private static final int METHOD_LINES_MAX = 60;
    private static final int VERTICLE_LINES_MAX = 60;
    private static final Pattern NAMES_NOTHING = Pattern.compile(".*(Impl|Manager|Helper|Helpers|Util|Utils)");
    private static final Pattern LATER = Pattern.compile("\\b(TO" + "DO|FIX" + "ME)\\b(?!\\s*\\(?#\\d)");

    private Tidy() {}

    /// What is wrong with these sources, each fault with its file and line.
    static List<String> faults(List<? extends JavaFileObject> sources) {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        JavacTask task = (JavacTask) compiler.getTask(null, null, null, List.of("-proc:none"), null, sources);
        SourcePositions positions = Trees.instance(task).getSourcePositions();
        List<String> faults = new ArrayList<>();
        try {
            for (CompilationUnitTree unit : task.parse()) {
                new Measure(unit, positions, faults).scan(unit, null);
                text(unit, faults);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return faults;
    }

    private static void text(CompilationUnitTree unit, List<String> faults) throws IOException {
        String name = unit.getSourceFile().getName();
        List<String> lines =
                unit.getSourceFile().getCharContent(true).toString().lines().toList();
        int most = name.endsWith("Verticle.java") ? VERTICLE_LINES_MAX : FILE_LINES_MAX;
        if (lines.size() > most) faults.add(name + " has " + lines.size() + " lines, at most " + most + " are wanted");
        for (int i = 0; i < lines.size(); i++) {
            boolean later = LATER.matcher(lines.get(i)).find();
            if (later) faults.add(name + ":" + (i + 1) + " puts something off without an issue's number");
        }
        boolean info = name.endsWith("package-info.java");
        boolean marked = lines.stream().anyMatch(line -> line.equals("@NullMarked"));
        if (info && !marked) faults.add(name + " lacks @NullMarked");
    }

    private static final class Measure extends TreeScanner<@Nullable Void, @Nullable Void> {
        private final CompilationUnitTree unit;
        private final SourcePositions positions;
        private final List<String> faults;

        Measure(CompilationUnitTree unit, SourcePositions positions, List<String> faults) {
            this.unit = unit;
            this.positions = positions;
            this.faults = faults;
        }

        @Override
        public @Nullable Void visitMethod(MethodTree method, @Nullable Void none) {
            long lines = line(positions.getEndPosition(unit, method)) - line(start(method)) + 1;
            if (lines > METHOD_LINES_MAX) {
                faults.add(where(method) + " method " + method.getName() + " has " + lines + " lines, at most "
                        + METHOD_LINES_MAX + " are wanted");
            }
            return super.visitMethod(method, null);
        }

        @Override
        public @Nullable Void visitClass(ClassTree type, @Nullable Void none) {
            if (NAMES_NOTHING.matcher(type.getSimpleName()).matches()) {
                faults.add(where(type) + " the name " + type.getSimpleName() + " does not say what it is");
            }
            return super.visitClass(type, null);
        }

        private String where(Tree tree) {
            return unit.getSourceFile().getName() + ":" + line(start(tree));
        }

        private long start(Tree tree) {
            return positions.getStartPosition(unit, tree);
        }

        private long line(long position) {
            return unit.getLineMap().getLineNumber(position);
        }
    }
}
