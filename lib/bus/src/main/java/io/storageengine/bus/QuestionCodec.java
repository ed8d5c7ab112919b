package io.storageengine.bus;

import io.storageengine.core.message.AbortRows;
import io.storageengine.core.message.AwaitRows;
import io.storageengine.core.message.BeginRows;
import io.storageengine.core.message.CallCatalog;
import io.storageengine.core.message.CallChannel;
import io.storageengine.core.message.CommitFiles;
import io.storageengine.core.message.CommitTable;
import io.storageengine.core.message.EndRows;
import io.storageengine.core.message.FindChannel;
import io.storageengine.core.message.FindClaim;
import io.storageengine.core.message.HoldChannel;
import io.storageengine.core.message.ListParked;
import io.storageengine.core.message.LoadTable;
import io.storageengine.core.message.Question;
import io.storageengine.core.message.ReplayParked;
import io.storageengine.core.message.SendRows;
import io.storageengine.core.message.StorageOf;
import io.storageengine.proto.bus.BusProto;
import java.util.Optional;

/// Questions to and from the wire.
final class QuestionCodec {
    private QuestionCodec() {}

    static BusProto.Question encode(Question<?> question) {
        BusProto.Question.Builder wire = BusProto.Question.newBuilder();
        return switch (question) {
            case CallCatalog q -> wire.setCallCatalog(callCatalog(q)).build();
            case LoadTable q ->
                wire.setLoadTable(BusProto.LoadTable.newBuilder()
                                .setTable(Parts.table(q.table()))
                                .setTableUuid(q.tableUuid()))
                        .build();
            case CommitTable q -> wire.setCommitTable(commitTable(q)).build();
            case FindClaim q ->
                wire.setFindClaim(BusProto.FindClaim.newBuilder()
                                .setTable(Parts.table(q.table()))
                                .setTableUuid(q.tableUuid())
                                .setKey(q.key()))
                        .build();
            case StorageOf q ->
                wire.setStorageOf(BusProto.StorageOf.newBuilder().setCatalog(q.catalog()))
                        .build();
            case BeginRows q ->
                wire.setBeginRows(BusProto.BeginRows.newBuilder()
                                .setTable(Parts.table(q.table()))
                                .setOptions(Parts.options(q.options())))
                        .build();
            case SendRows q ->
                wire.setSendRows(BusProto.SendRows.newBuilder()
                                .setSession(q.session())
                                .setCatalog(q.catalog())
                                .setBytes(Parts.bytes(q.bytes())))
                        .build();
            case EndRows q ->
                wire.setEndRows(BusProto.EndRows.newBuilder()
                                .setSession(q.session())
                                .setCatalog(q.catalog()))
                        .build();
            case AbortRows q ->
                wire.setAbortRows(BusProto.AbortRows.newBuilder()
                                .setSession(q.session())
                                .setCatalog(q.catalog()))
                        .build();
            case CommitFiles q -> wire.setCommitFiles(commitFiles(q)).build();
            case FindChannel q ->
                wire.setFindChannel(BusProto.FindChannel.newBuilder()
                                .setTable(Parts.table(q.table()))
                                .setTableUuid(q.tableUuid())
                                .setChannel(q.channel()))
                        .build();
            case HoldChannel q -> wire.setHoldChannel(holdChannel(q)).build();
            case CallChannel q -> wire.setCallChannel(callChannel(q)).build();
            case AwaitRows q -> wire.setAwaitRows(awaitRows(q)).build();
            case ListParked q -> wire.setListParked(listParked(q)).build();
            case ReplayParked q -> wire.setReplayParked(replayParked(q)).build();
        };
    }

    static Question<?> decode(BusProto.Question wire) {
        return switch (wire.getQuestionCase()) {
            case CALL_CATALOG -> callCatalog(wire.getCallCatalog());
            case LOAD_TABLE ->
                new LoadTable(
                        Parts.table(wire.getLoadTable().getTable()),
                        wire.getLoadTable().getTableUuid());
            case COMMIT_TABLE -> commitTable(wire.getCommitTable());
            case FIND_CLAIM ->
                new FindClaim(
                        Parts.table(wire.getFindClaim().getTable()),
                        wire.getFindClaim().getTableUuid(),
                        wire.getFindClaim().getKey());
            case STORAGE_OF -> new StorageOf(wire.getStorageOf().getCatalog());
            case BEGIN_ROWS ->
                new BeginRows(
                        Parts.table(wire.getBeginRows().getTable()),
                        Parts.options(wire.getBeginRows().getOptions()));
            case SEND_ROWS ->
                new SendRows(
                        wire.getSendRows().getSession(),
                        wire.getSendRows().getCatalog(),
                        Parts.buffer(wire.getSendRows().getBytes()));
            case END_ROWS ->
                new EndRows(wire.getEndRows().getSession(), wire.getEndRows().getCatalog());
            case ABORT_ROWS ->
                new AbortRows(
                        wire.getAbortRows().getSession(), wire.getAbortRows().getCatalog());
            case COMMIT_FILES -> commitFiles(wire.getCommitFiles());
            case FIND_CHANNEL ->
                new FindChannel(
                        Parts.table(wire.getFindChannel().getTable()),
                        wire.getFindChannel().getTableUuid(),
                        wire.getFindChannel().getChannel());
            case HOLD_CHANNEL -> holdChannel(wire.getHoldChannel());
            case CALL_CHANNEL -> callChannel(wire.getCallChannel());
            case AWAIT_ROWS ->
                new AwaitRows(
                        Parts.table(wire.getAwaitRows().getTable()),
                        wire.getAwaitRows().getToken(),
                        wire.getAwaitRows().getWaitMillis());
            case LIST_PARKED ->
                new ListParked(
                        wire.getListParked().getCatalog(),
                        wire.getListParked().getAfter(),
                        wire.getListParked().getMax());
            case REPLAY_PARKED ->
                new ReplayParked(
                        wire.getReplayParked().getCatalog(),
                        wire.getReplayParked().getId());
            case QUESTION_NOT_SET -> throw new IllegalArgumentException("a question of a newer version");
        };
    }

    private static BusProto.CallCatalog callCatalog(CallCatalog q) {
        return BusProto.CallCatalog.newBuilder()
                .setMethod(q.method())
                .setPath(q.path())
                .setQuery(q.query())
                .putAllHeaders(q.headers())
                .setBody(Parts.bytes(q.body()))
                .setPrincipal(q.principal())
                .build();
    }

    private static CallCatalog callCatalog(BusProto.CallCatalog q) {
        return new CallCatalog(
                q.getMethod(),
                q.getPath(),
                q.getQuery(),
                q.getHeadersMap(),
                Parts.buffer(q.getBody()),
                q.getPrincipal());
    }

    private static BusProto.CommitTable commitTable(CommitTable q) {
        return BusProto.CommitTable.newBuilder()
                .setTable(Parts.table(q.table()))
                .setTableUuid(q.tableUuid())
                .setRequest(Parts.bytes(q.request()))
                .addAllWatermarks(Parts.watermarks(q.watermarks()))
                .addAllClaims(Parts.claims(q.claims()))
                .build();
    }

    private static CommitTable commitTable(BusProto.CommitTable q) {
        return new CommitTable(
                Parts.table(q.getTable()),
                q.getTableUuid(),
                Parts.buffer(q.getRequest()),
                Parts.watermarksOf(q.getWatermarksList()),
                Parts.claimsOf(q.getClaimsList()));
    }

    private static BusProto.CommitFiles commitFiles(CommitFiles q) {
        return BusProto.CommitFiles.newBuilder()
                .setTable(Parts.table(q.table()))
                .setTableUuid(q.tableUuid())
                .addAllFiles(q.files())
                .addAllWatermarks(Parts.watermarks(q.watermarks()))
                .addAllClaims(Parts.claims(q.claims()))
                .build();
    }

    private static CommitFiles commitFiles(BusProto.CommitFiles q) {
        return new CommitFiles(
                Parts.table(q.getTable()),
                q.getTableUuid(),
                q.getFilesList(),
                Parts.watermarksOf(q.getWatermarksList()),
                Parts.claimsOf(q.getClaimsList()));
    }

    private static BusProto.HoldChannel holdChannel(HoldChannel q) {
        BusProto.HoldChannel.Builder wire = BusProto.HoldChannel.newBuilder()
                .setTable(Parts.table(q.table()))
                .setTableUuid(q.tableUuid())
                .setChannel(q.channel());
        q.expected().map(Parts::hold).ifPresent(wire::setExpected);
        q.next().map(Parts::hold).ifPresent(wire::setNext);
        return wire.build();
    }

    private static HoldChannel holdChannel(BusProto.HoldChannel q) {
        return new HoldChannel(
                Parts.table(q.getTable()),
                q.getTableUuid(),
                q.getChannel(),
                q.hasExpected() ? Optional.of(Parts.hold(q.getExpected())) : Optional.empty(),
                q.hasNext() ? Optional.of(Parts.hold(q.getNext())) : Optional.empty());
    }

    private static BusProto.CallChannel callChannel(CallChannel q) {
        return BusProto.CallChannel.newBuilder()
                .setTable(Parts.table(q.table()))
                .setChannel(q.channel())
                .setAct(q.act().name())
                .setEpoch(q.epoch())
                .setOffset(q.offset())
                .build();
    }

    private static BusProto.ListParked listParked(ListParked q) {
        return BusProto.ListParked.newBuilder()
                .setCatalog(q.catalog())
                .setAfter(q.after())
                .setMax(q.max())
                .build();
    }

    private static BusProto.ReplayParked replayParked(ReplayParked q) {
        return BusProto.ReplayParked.newBuilder()
                .setCatalog(q.catalog())
                .setId(q.id())
                .build();
    }

    private static BusProto.AwaitRows awaitRows(AwaitRows q) {
        return BusProto.AwaitRows.newBuilder()
                .setTable(Parts.table(q.table()))
                .setToken(q.token())
                .setWaitMillis(q.waitMillis())
                .build();
    }

    private static CallChannel callChannel(BusProto.CallChannel q) {
        return new CallChannel(
                Parts.table(q.getTable()),
                q.getChannel(),
                CallChannel.Act.valueOf(q.getAct()),
                q.getEpoch(),
                q.getOffset());
    }
}
