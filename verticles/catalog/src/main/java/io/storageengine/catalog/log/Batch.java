package io.storageengine.catalog.log;

import io.storageengine.catalog.state.CatalogState;
import io.storageengine.catalog.state.Change;
import io.storageengine.catalog.state.Command;
import io.storageengine.catalog.state.Decision;
import io.storageengine.catalog.state.Decisions;
import io.storageengine.catalog.state.KeptReply;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/// Commands decided one after the other, each on what those before it leave behind: one entry.
///
/// @param decisions in the order of the commands
/// @param changes of all that were accepted
/// @param principals who made each change; empty where that is not known
/// @param after the state when the entry is durable
record Batch(List<Decision> decisions, List<Change> changes, List<String> principals, CatalogState after) {
    static Batch decide(CatalogState state, List<Command> commands, long wallMillis) {
        List<Decision> decisions = new ArrayList<>();
        List<Change> changes = new ArrayList<>();
        List<String> principals = new ArrayList<>();
        CatalogState after = state;
        for (Command command : commands) {
            Decision decision = Decisions.decide(after, command, wallMillis);
            decisions.add(decision);
            List<Change> made = changes(decision);
            for (Change change : made) after = after.apply(change, wallMillis);
            changes.addAll(made);
            principals.addAll(Collections.nCopies(made.size(), principal(command)));
        }
        return new Batch(decisions, changes, principals, after);
    }

    private static String principal(Command command) {
        return command instanceof Command.By by ? by.principal() : "";
    }

    private static List<Change> changes(Decision decision) {
        return switch (decision) {
            case Decision.Accepted(List<Change> accepted) -> accepted;
            case Decision.Replayed(KeptReply reply, List<Change> kept) -> kept;
            case Decision.Refused refused -> List.of();
        };
    }

    boolean hasRefusals() {
        return decisions.stream().anyMatch(Decision.Refused.class::isInstance);
    }
}
