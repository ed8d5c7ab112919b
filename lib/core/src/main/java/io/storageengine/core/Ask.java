package io.storageengine.core;

import io.storageengine.core.message.Answer;
import io.storageengine.core.message.Question;

/// One question to another room, and its answer: the only door between rooms.
///
/// The call blocks its virtual thread until the answer is there or `timeoutMillis` have passed. A failure of
/// the bus itself is told by what the question does: when it only reads, `UNAVAILABLE`; when it writes and
/// may have arrived, `UNKNOWN`.
public interface Ask {
    <A extends Answer> Outcome<A> ask(Question<A> question, long timeoutMillis);
}
