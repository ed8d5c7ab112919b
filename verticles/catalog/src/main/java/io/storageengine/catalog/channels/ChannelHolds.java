package io.storageengine.catalog.channels;

import io.storageengine.catalog.log.CatalogLog;
import io.storageengine.catalog.state.CatalogState;
import io.storageengine.catalog.state.Channels;
import io.storageengine.catalog.state.Command;
import io.storageengine.catalog.state.Decision;
import io.storageengine.catalog.state.Decisions;
import io.storageengine.catalog.state.Space;
import io.storageengine.catalog.state.TableName;
import io.storageengine.core.FailureException;
import io.storageengine.core.message.FindChannel;
import io.storageengine.core.message.FoundChannel;
import io.storageengine.core.message.HoldChannel;
import io.storageengine.core.message.TableRef;
import java.util.UUID;

/// Who holds channels, as a log has it: the catalog's own, or for the tables of a catalog elsewhere one in the
/// cluster storage. Failures are thrown as [FailureException].
///
/// @param isForeign whether the log is that of a catalog elsewhere, and knows its tables by their uuids alone
public record ChannelHolds(CatalogLog log, boolean isForeign) {
    public FoundChannel find(FindChannel question, UUID table) {
        Channels channels = channels(log.state(), question.table(), table);
        return new FoundChannel(channels.find(question.channel()), channels.epochMax());
    }

    private Channels channels(CatalogState state, TableRef ref, UUID table) {
        if (isForeign)
            return state.table(table).map(known -> known.progress().channels()).orElse(Channels.NONE);
        return state.table(table)
                .orElseThrow(() -> new FailureException(Decisions.missingTable(name(ref))))
                .progress()
                .channels();
    }

    public FoundChannel hold(HoldChannel question, UUID table) {
        Command command = new Command.HoldChannel(
                name(question.table()), table, isForeign, question.channel(), question.expected(), question.next());
        Decision decision = log.submit(command).orThrow();
        if (decision instanceof Decision.Refused(var failure)) throw new FailureException(failure);
        return new FoundChannel(question.next(), 0);
    }

    private static TableName name(TableRef table) {
        return new TableName(Space.path(table.namespace()), table.name());
    }
}
