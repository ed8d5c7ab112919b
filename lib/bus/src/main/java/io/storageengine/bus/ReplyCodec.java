package io.storageengine.bus;

import io.storageengine.core.Failure;
import io.storageengine.core.Outcome;
import io.storageengine.core.message.AbortedRows;
import io.storageengine.core.message.Answer;
import io.storageengine.core.message.BegunRows;
import io.storageengine.core.message.CatalogReply;
import io.storageengine.core.message.CatalogStorage;
import io.storageengine.core.message.ChannelStatus;
import io.storageengine.core.message.CommittedFiles;
import io.storageengine.core.message.CommittedRows;
import io.storageengine.core.message.CommittedTable;
import io.storageengine.core.message.EndedRows;
import io.storageengine.core.message.FoundChannel;
import io.storageengine.core.message.FoundClaim;
import io.storageengine.core.message.LoadedTable;
import io.storageengine.core.message.ParkedRows;
import io.storageengine.core.message.ReplayedRows;
import io.storageengine.core.message.TakenRows;
import io.storageengine.proto.bus.BusProto;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Answers and failures to and from the wire.
final class ReplyCodec {
    private ReplyCodec() {}

    static BusProto.Reply encode(Reply reply) {
        return switch (reply.outcome()) {
            case Outcome.Ok<? extends Answer>(Answer answer) -> answer(answer);
            case Outcome.Failed<? extends Answer>(Failure failure) ->
                BusProto.Reply.newBuilder()
                        .setFailure(BusProto.Failure.newBuilder()
                                .setKind(failure.kind().name())
                                .setCode(failure.code())
                                .setMessage(failure.message()))
                        .build();
        };
    }

    static Reply decode(BusProto.Reply wire) {
        if (wire.getReplyCase() != BusProto.Reply.ReplyCase.FAILURE) return new Reply(Outcome.ok(answer(wire)));
        BusProto.Failure failure = wire.getFailure();
        return new Reply(Outcome.failed(
                new Failure(Failure.Kind.valueOf(failure.getKind()), failure.getCode(), failure.getMessage())));
    }

    private static BusProto.Reply answer(Answer answer) {
        BusProto.Reply.Builder wire = BusProto.Reply.newBuilder();
        return switch (answer) {
            case CatalogReply a ->
                wire.setCatalogReply(BusProto.CatalogReply.newBuilder()
                                .setStatus(a.status())
                                .putAllHeaders(a.headers())
                                .setBody(Parts.bytes(a.body())))
                        .build();
            case LoadedTable a -> wire.setLoadedTable(loadedTable(a)).build();
            case CommittedTable a ->
                wire.setCommittedTable(BusProto.CommittedTable.newBuilder()
                                .setMetadataLocation(a.metadataLocation())
                                .setMetadata(Parts.bytes(a.metadata())))
                        .build();
            case FoundClaim a -> wire.setFoundClaim(foundClaim(a)).build();
            case CatalogStorage a ->
                wire.setCatalogStorage(BusProto.CatalogStorage.newBuilder()
                                .setIsNative(a.isNative())
                                .putAllIoProperties(a.ioProperties()))
                        .build();
            case BegunRows a ->
                wire.setBegunRows(BusProto.BegunRows.newBuilder().setSession(a.session()))
                        .build();
            case TakenRows a ->
                wire.setTakenRows(BusProto.TakenRows.getDefaultInstance()).build();
            case EndedRows a ->
                wire.setEndedRows(BusProto.EndedRows.newBuilder()
                                .setTaken(a.taken())
                                .setAnswer(a.answer())
                                .setSnapshotId(a.snapshotId()))
                        .build();
            case AbortedRows a ->
                wire.setAbortedRows(BusProto.AbortedRows.getDefaultInstance()).build();
            case CommittedFiles a ->
                wire.setCommittedFiles(BusProto.CommittedFiles.newBuilder().setSnapshotId(a.snapshotId()))
                        .build();
            case FoundChannel a -> wire.setFoundChannel(foundChannel(a)).build();
            case ChannelStatus a -> wire.setChannelStatus(channelStatus(a)).build();
            case ParkedRows a -> wire.setParkedRows(parkedRows(a)).build();
            case ReplayedRows a ->
                wire.setReplayedRows(BusProto.ReplayedRows.newBuilder()
                                .setRows(a.rows())
                                .setToken(a.token()))
                        .build();
            case CommittedRows a ->
                wire.setCommittedRows(BusProto.CommittedRows.newBuilder()
                                .setCommitted(a.committed())
                                .setSnapshotId(a.snapshotId()))
                        .build();
        };
    }

    private static BusProto.FoundClaim foundClaim(FoundClaim found) {
        BusProto.FoundClaim.Builder wire = BusProto.FoundClaim.newBuilder();
        found.claim().map(Parts::claim).ifPresent(wire::setClaim);
        return wire.build();
    }

    private static Answer answer(BusProto.Reply wire) {
        return switch (wire.getReplyCase()) {
            case CATALOG_REPLY ->
                new CatalogReply(
                        wire.getCatalogReply().getStatus(),
                        wire.getCatalogReply().getHeadersMap(),
                        Parts.buffer(wire.getCatalogReply().getBody()));
            case LOADED_TABLE -> loadedTable(wire.getLoadedTable());
            case COMMITTED_TABLE ->
                new CommittedTable(
                        wire.getCommittedTable().getMetadataLocation(),
                        Parts.buffer(wire.getCommittedTable().getMetadata()));
            case FOUND_CLAIM -> foundClaim(wire.getFoundClaim());
            case CATALOG_STORAGE ->
                new CatalogStorage(
                        wire.getCatalogStorage().getIsNative(),
                        wire.getCatalogStorage().getIoPropertiesMap());
            case BEGUN_ROWS -> new BegunRows(wire.getBegunRows().getSession());
            case TAKEN_ROWS -> new TakenRows();
            case ENDED_ROWS ->
                new EndedRows(
                        wire.getEndedRows().getTaken(),
                        wire.getEndedRows().getAnswer(),
                        wire.getEndedRows().getSnapshotId());
            case ABORTED_ROWS -> new AbortedRows();
            case COMMITTED_FILES -> new CommittedFiles(wire.getCommittedFiles().getSnapshotId());
            case FOUND_CHANNEL -> foundChannel(wire.getFoundChannel());
            case CHANNEL_STATUS -> channelStatus(wire.getChannelStatus());
            case COMMITTED_ROWS ->
                new CommittedRows(
                        wire.getCommittedRows().getCommitted(),
                        wire.getCommittedRows().getSnapshotId());
            case PARKED_ROWS -> parkedRows(wire.getParkedRows());
            case REPLAYED_ROWS ->
                new ReplayedRows(
                        wire.getReplayedRows().getRows(), wire.getReplayedRows().getToken());
            case FAILURE, REPLY_NOT_SET -> throw new IllegalArgumentException("an answer of a newer version");
        };
    }

    private static LoadedTable loadedTable(BusProto.LoadedTable wire) {
        return new LoadedTable(
                wire.getMetadataLocation(),
                Parts.buffer(wire.getMetadata()),
                wire.getWatermarksMap(),
                wire.getIoPropertiesMap());
    }

    private static FoundClaim foundClaim(BusProto.FoundClaim wire) {
        return new FoundClaim(wire.hasClaim() ? Optional.of(Parts.claim(wire.getClaim())) : Optional.empty());
    }

    private static BusProto.ParkedRows parkedRows(ParkedRows page) {
        BusProto.ParkedRows.Builder wire = BusProto.ParkedRows.newBuilder().setNext(page.next());
        for (ParkedRows.Parked parked : page.parked())
            wire.addParked(BusProto.ParkedRows.Parked.newBuilder()
                    .setId(parked.id())
                    .setTable(Parts.table(parked.table()))
                    .setTableUuid(parked.tableUuid())
                    .setRows(parked.rows())
                    .setWallMillis(parked.wallMillis())
                    .setChannel(parked.channel()));
        return wire.build();
    }

    private static ParkedRows parkedRows(BusProto.ParkedRows wire) {
        List<ParkedRows.Parked> parked = new ArrayList<>();
        for (BusProto.ParkedRows.Parked one : wire.getParkedList())
            parked.add(new ParkedRows.Parked(
                    one.getId(),
                    Parts.table(one.getTable()),
                    one.getTableUuid(),
                    one.getRows(),
                    one.getWallMillis(),
                    one.getChannel()));
        return new ParkedRows(parked, wire.getNext());
    }

    private static BusProto.FoundChannel foundChannel(FoundChannel found) {
        BusProto.FoundChannel.Builder wire = BusProto.FoundChannel.newBuilder().setEpochMax(found.epochMax());
        found.hold().map(Parts::hold).ifPresent(wire::setHold);
        return wire.build();
    }

    private static FoundChannel foundChannel(BusProto.FoundChannel wire) {
        return new FoundChannel(
                wire.hasHold() ? Optional.of(Parts.hold(wire.getHold())) : Optional.empty(), wire.getEpochMax());
    }

    private static BusProto.LoadedTable loadedTable(LoadedTable table) {
        return BusProto.LoadedTable.newBuilder()
                .setMetadataLocation(table.metadataLocation())
                .setMetadata(Parts.bytes(table.metadata()))
                .putAllWatermarks(table.watermarks())
                .putAllIoProperties(table.ioProperties())
                .build();
    }

    private static BusProto.ChannelStatus channelStatus(ChannelStatus status) {
        return BusProto.ChannelStatus.newBuilder()
                .setChannel(status.channel())
                .setEpoch(status.epoch())
                .setDurable(status.durable())
                .setCommitted(status.committed())
                .setSnapshotId(status.snapshotId())
                .setRejected(status.rejected())
                .build();
    }

    private static ChannelStatus channelStatus(BusProto.ChannelStatus wire) {
        return new ChannelStatus(
                wire.getChannel(),
                wire.getEpoch(),
                wire.getDurable(),
                wire.getCommitted(),
                wire.getSnapshotId(),
                wire.getRejected());
    }
}
