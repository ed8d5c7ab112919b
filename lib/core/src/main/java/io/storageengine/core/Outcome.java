package io.storageengine.core;

import java.util.Objects;
import java.util.function.Function;

/// The result of a call that can fail in ways the caller must handle: a value or a [Failure], never an
/// exception.
///
/// @param <T> the value's type
public sealed interface Outcome<T> {
    /// It happened.
    record Ok<T>(T value) implements Outcome<T> {
        public Ok {
            Objects.requireNonNull(value);
        }
    }

    /// It did not happen, or nobody knows ([Failure.Kind#UNKNOWN]).
    record Failed<T>(Failure failure) implements Outcome<T> {
        public Failed {
            Objects.requireNonNull(failure);
        }
    }

    static <T> Outcome<T> ok(T value) {
        return new Ok<>(value);
    }

    static <T> Outcome<T> failed(Failure failure) {
        return new Failed<>(failure);
    }

    static <T> Outcome<T> failed(Failure.Kind kind, String message) {
        return new Failed<>(new Failure(kind, message));
    }

    static <T> Outcome<T> failed(Failure.Kind kind, String code, String message) {
        return new Failed<>(new Failure(kind, code, message));
    }

    /// The outcome of a call that returns nothing.
    static Outcome<Done> done() {
        return new Ok<>(Done.DONE);
    }

    default boolean isOk() {
        return this instanceof Ok<T>;
    }

    /// True when this failed with that kind.
    default boolean failedWith(Failure.Kind kind) {
        return this instanceof Failed<T>(Failure failure) && failure.kind() == kind;
    }

    default <R> Outcome<R> map(Function<? super T, ? extends R> next) {
        return switch (this) {
            case Ok<T>(T value) -> new Ok<>(next.apply(value));
            case Failed<T>(Failure failure) -> new Failed<>(failure);
        };
    }

    default <R> Outcome<R> then(Function<? super T, Outcome<R>> next) {
        return switch (this) {
            case Ok<T>(T value) -> next.apply(value);
            case Failed<T>(Failure failure) -> new Failed<>(failure);
        };
    }

    /// The value, or a [FailureException] for callers that unwind a straight line of calls to one place.
    default T orThrow() {
        return switch (this) {
            case Ok<T>(T value) -> value;
            case Failed<T>(Failure failure) -> throw new FailureException(failure);
        };
    }
}
