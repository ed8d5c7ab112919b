package io.storageengine.bus;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.InvalidProtocolBufferException;
import io.storageengine.core.Failure;
import io.storageengine.core.Outcome;
import io.storageengine.core.message.*;
import io.storageengine.proto.bus.BusProto;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class CodecsTest {
    private static final TableRef TABLE = new TableRef("dev", List.of("a", "b.c"), "täble");
    private static final List<Watermark> MARKS = List.of(new Watermark("log-1", 3, 9));
    private static final List<Claim> CLAIMS = List.of(new Claim("k", "abc", "log-1", 7, "{}", 1_700_000_000_000L));

    private static final ChannelHold HOLD = new ChannelHold(3, "log-1", 2);

    static Stream<Question<?>> questions() {
        return Stream.of(
                new CallCatalog("POST", "/catalogs/dev/v1/namespaces", "a=b", Map.of("x", "y"), text("{}"), "ann"),
                new LoadTable(TABLE, "uuid"),
                new CommitTable(TABLE, "uuid", text("{\"updates\":[]}"), MARKS, CLAIMS),
                new FindClaim(TABLE, "uuid", "key"),
                new StorageOf("dev"),
                new BeginRows(
                        TABLE,
                        new RowOptions(
                                RowOptions.Format.NDJSON,
                                RowOptions.Encoding.ZSTD,
                                true,
                                RowOptions.Ack.COMMITTED,
                                RowOptions.OnError.SKIP,
                                "key",
                                -1,
                                Optional.of(new RowOptions.InChannel("orders 1", 3, 42)))),
                new SendRows("s", "dev", text("{}\n")),
                new EndRows("s", "dev"),
                new AbortRows("s", "dev"),
                new CommitFiles(TABLE, "uuid", List.of("{}"), MARKS, CLAIMS),
                new FindChannel(TABLE, "uuid", "orders 1"),
                new HoldChannel(TABLE, "uuid", "orders 1", Optional.of(HOLD), Optional.empty()),
                new HoldChannel(TABLE, "uuid", "orders 1", Optional.empty(), Optional.of(HOLD)),
                new CallChannel(TABLE, "orders 1", CallChannel.Act.ADVANCE, 3, 50),
                new AwaitRows(TABLE, "log-1.7", 30_000),
                new ListParked("dev", "after", 7),
                new ReplayParked("dev", "id"));
    }

    static Stream<Answer> answers() {
        return Stream.of(
                new CatalogReply(200, Map.of("etag", "x"), text("{}")),
                new LoadedTable("s3://b/m", text("{}"), Map.of("log-1", 4L), Map.of("s3.endpoint", "http://x")),
                new CommittedTable("s3://b/m", text("{}")),
                new FoundClaim(Optional.of(CLAIMS.getFirst().in(12))),
                new FoundClaim(Optional.empty()),
                new CatalogStorage(false, Map.of("a", "b")),
                new BegunRows("s"),
                new TakenRows(),
                new EndedRows(true, "{}", 3),
                new AbortedRows(),
                new CommittedFiles(5),
                new FoundChannel(Optional.of(HOLD), 0),
                new FoundChannel(Optional.empty(), 2),
                new ChannelStatus("orders 1", 3, 42, 41, 5, 1),
                new CommittedRows(true, 5),
                new ParkedRows(List.of(new ParkedRows.Parked("id", TABLE, "uuid", 3, 1_700_000_000_000L, "c")), "next"),
                new ReplayedRows(3, "log-1.7"));
    }

    @ParameterizedTest
    @MethodSource("questions")
    void aQuestionCrossesTheWireUnchanged(Question<?> question) throws InvalidProtocolBufferException {
        byte[] wire = QuestionCodec.encode(question).toByteArray();
        assertThat(QuestionCodec.decode(BusProto.Question.parseFrom(wire))).isEqualTo(question);
    }

    @ParameterizedTest
    @MethodSource("answers")
    void anAnswerCrossesTheWireUnchanged(Answer answer) throws InvalidProtocolBufferException {
        assertThat(overTheWire(new Reply(Outcome.ok(answer)))).isEqualTo(new Reply(Outcome.ok(answer)));
    }

    @ParameterizedTest
    @EnumSource(Failure.Kind.class)
    void aFailureCrossesTheWireUnchanged(Failure.Kind kind) throws InvalidProtocolBufferException {
        Reply reply = new Reply(Outcome.failed(kind, "NoSuchTableException", "Table does not exist: a.b"));
        assertThat(overTheWire(reply)).isEqualTo(reply);
    }

    @Test
    void everyMessageIsTestedHere() {
        assertThat(questions().map(Object::getClass).collect(Collectors.toSet()))
                .containsExactlyInAnyOrderElementsOf(permitted(Question.class));
        assertThat(answers().map(Object::getClass).collect(Collectors.toSet()))
                .containsExactlyInAnyOrderElementsOf(permitted(Answer.class));
    }

    private static List<Class<?>> permitted(Class<?> sealedType) {
        return Arrays.asList(sealedType.getPermittedSubclasses());
    }

    private static Reply overTheWire(Reply reply) throws InvalidProtocolBufferException {
        return ReplyCodec.decode(
                BusProto.Reply.parseFrom(ReplyCodec.encode(reply).toByteArray()));
    }

    private static ByteBuffer text(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    }
}
