package io.storageengine.store;

import static io.storageengine.store.Expect.fails;
import static io.storageengine.store.Expect.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.storageengine.core.Failure.Kind;
import io.storageengine.core.Outcome;
import io.storageengine.core.store.Content;
import io.storageengine.core.store.ObjectInfo;
import io.storageengine.core.store.Precondition;
import io.storageengine.core.store.PutOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

interface ConditionContract extends ContractSubject {
    int WRITERS = 20;
    int RACES = 10;

    @Test
    default void ifAbsentCreatesAndNeverReplaces() {
        store().put("k", text("first"), PutOptions.IF_ABSENT).orThrow();
        fails(store().put("k", text("second"), PutOptions.IF_ABSENT), Kind.CONFLICT, "PreconditionFailed");
        assertThat(Expect.read(store(), "k")).isEqualTo("first");
        store().delete("k").orThrow();
        store().put("k", text("third"), PutOptions.IF_ABSENT).orThrow();
        assertThat(Expect.read(store(), "k")).isEqualTo("third");
    }

    @Test
    default void ifMatchReplacesOnlyWhatWasSeen() {
        String old = store().put("k", text("1"), PutOptions.PLAIN).orThrow().etag();
        String fresh = store().put("k", text("2"), ifMatch(old)).orThrow().etag();
        assertThat(fresh).isNotEqualTo(old);
        fails(store().put("k", text("3"), ifMatch(old)), Kind.CONFLICT, "PreconditionFailed");
        assertThat(Expect.read(store(), "k")).isEqualTo("2");
        store().put("k", text("4"), ifMatch(fresh)).orThrow();
        assertThat(Expect.read(store(), "k")).isEqualTo("4");
    }

    @Test
    default void ifMatchOnAnAbsentKeyIsNotFound() {
        fails(store().put("k", text("1"), ifMatch("0123456789abcdef0123456789abcdef")), Kind.NOT_FOUND, "NoSuchKey");
        assertThat(store().head("k").isOk()).isFalse();
    }

    @Test
    default void ofTwentyWritersOneCreates() {
        for (int race = 0; race < RACES; race++) {
            String key = "log/" + race;
            int winner = onlyWinner(race(key, PutOptions.IF_ABSENT));
            assertThat(Expect.read(store(), key)).isEqualTo(body(winner));
        }
    }

    @Test
    default void ofTwentyWritersOneReplacesWhatAllSaw() {
        String etag =
                store().put("k", text("start"), PutOptions.PLAIN).orThrow().etag();
        for (int race = 0; race < RACES; race++) {
            var answers = race("k", ifMatch(etag));
            int winner = onlyWinner(answers);
            assertThat(Expect.read(store(), "k")).isEqualTo(body(winner));
            store().put("k", text("start" + race), PutOptions.PLAIN).orThrow();
            etag = store().head("k").orThrow().etag();
        }
    }

    @Test
    default void aRefusedWriterChangesNothingThatReadersSee() {
        ObjectInfo first = store().put("k", text("first"), PutOptions.IF_ABSENT).orThrow();
        store().put("k", text("second"), PutOptions.IF_ABSENT);
        ObjectInfo after = store().head("k").orThrow();
        assertThat(after.etag()).isEqualTo(first.etag());
        assertThat(after.sizeBytes()).isEqualTo(5);
        assertThat(Expect.keys(store(), "")).containsExactly("k");
    }

    @Test
    default void aConditionOnAStreamHoldsToo() {
        store().put("k", Expect.stream(5, Expect.utf8("first")), PutOptions.IF_ABSENT)
                .orThrow();
        Content second = Expect.stream(6, Expect.utf8("second"));
        fails(store().put("k", second, PutOptions.IF_ABSENT), Kind.CONFLICT, "PreconditionFailed");
        assertThat(Expect.read(store(), "k")).isEqualTo("first");
    }

    private List<Outcome<ObjectInfo>> race(String key, PutOptions options) {
        List<Callable<Outcome<ObjectInfo>>> writers = new ArrayList<>();
        for (int writer = 0; writer < WRITERS; writer++) {
            Content content = text(body(writer));
            writers.add(() -> store().put(key, content, options));
        }
        return Expect.atOnce(writers);
    }

    private static int onlyWinner(List<Outcome<ObjectInfo>> answers) {
        List<Integer> winners = new ArrayList<>();
        for (int writer = 0; writer < answers.size(); writer++) {
            if (answers.get(writer).isOk()) winners.add(writer);
            else
                assertThat(answers.get(writer).failedWith(Kind.CONFLICT))
                        .as(answers.toString())
                        .isTrue();
        }
        assertThat(winners).as(answers.toString()).hasSize(1);
        return winners.getFirst();
    }

    private static String body(int writer) {
        return "writer " + writer;
    }

    private static PutOptions ifMatch(String etag) {
        return PutOptions.PLAIN.with(new Precondition.IfMatch(etag));
    }
}
