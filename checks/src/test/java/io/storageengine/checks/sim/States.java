package io.storageengine.checks.sim;

import java.util.ArrayList;
import java.util.List;

/// A state as text: one entry per line.
final class States {
    private States() {}

    static String encode(List<RawEntry> state) {
        StringBuilder out = new StringBuilder();
        for (RawEntry e : state) {
            out.append(e.seal()).append(' ').append(e.epoch()).append(' ').append(e.writer());
            out.append(' ').append(e.payload()).append('\n');
        }
        return out.toString();
    }

    static List<RawEntry> decode(String text) {
        List<RawEntry> state = new ArrayList<>();
        for (String line : text.lines().toList()) {
            List<String> parts = List.of(line.split(" ", 4));
            state.add(new RawEntry(
                    Boolean.parseBoolean(parts.get(0)), Long.parseLong(parts.get(1)), parts.get(2), parts.get(3)));
        }
        return state;
    }
}
