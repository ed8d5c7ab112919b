package io.storageengine.store;

import io.storageengine.core.Failure;

/// What goes wrong with one call of a [FaultStore].
public sealed interface Fault {
    /// Nothing.
    record None() implements Fault {}

    /// The request never arrives: no effect, `UNKNOWN` for a write, `UNAVAILABLE` for a read.
    record LostRequest() implements Fault {}

    /// The request has its effect, its answer is lost.
    record LostAnswer() implements Fault {}

    /// The request answers as if lost; it has its effect when [FaultStore#land] is called.
    record LateRequest() implements Fault {}

    /// The store refuses; no effect.
    record Refused(Failure failure) implements Fault {}

    /// The request is slow.
    record Delayed(long millis) implements Fault {}

    Fault NONE = new None();
    Fault LOST_REQUEST = new LostRequest();
    Fault LOST_ANSWER = new LostAnswer();
    Fault LATE_REQUEST = new LateRequest();
    Fault THROTTLED = new Refused(new Failure(Failure.Kind.THROTTLED, "SlowDown", "injected: slow down"));
    Fault UNAVAILABLE = new Refused(new Failure(Failure.Kind.UNAVAILABLE, "injected: not reachable"));
}
