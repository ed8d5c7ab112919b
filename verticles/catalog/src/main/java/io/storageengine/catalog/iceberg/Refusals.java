package io.storageengine.catalog.iceberg;

import io.storageengine.core.Failure;
import io.storageengine.core.FailureException;
import java.util.function.Supplier;
import org.apache.iceberg.RetryableValidationException;
import org.apache.iceberg.exceptions.CommitFailedException;
import org.apache.iceberg.exceptions.UnprocessableEntityException;
import org.apache.iceberg.exceptions.ValidationException;

/// What Iceberg's library throws, as failures.
public final class Refusals {
    private Refusals() {}

    /// Runs a step of Iceberg's library on a client's input. What it throws is the input's fault: a failed
    /// requirement or a stale number is a lost race, everything else a bad request.
    public static <T> T of(Supplier<T> step) {
        try {
            return step.get();
        } catch (CommitFailedException e) {
            throw conflict(String.valueOf(e.getMessage()));
        } catch (RetryableValidationException e) {
            throw conflict("Validation failed, please retry: " + e.getMessage());
        } catch (UnprocessableEntityException e) {
            throw failed(Failure.Kind.INVALID, "UnprocessableEntityException", String.valueOf(e.getMessage()));
        } catch (ValidationException e) {
            throw failed(Failure.Kind.INVALID, "ValidationException", String.valueOf(e.getMessage()));
        } catch (IllegalArgumentException | UnsupportedOperationException | IllegalStateException e) {
            throw bad(String.valueOf(e.getMessage()));
        } catch (NullPointerException | ClassCastException | IndexOutOfBoundsException | ArithmeticException e) {
            throw bad("The request lacks a field, or one has a wrong form: " + e.getMessage());
        }
    }

    /// The same for views: what the library calls an illegal argument keeps that name, which tells the Java
    /// client to throw it too.
    static <T> T ofView(Supplier<T> step) {
        return of(() -> {
            try {
                return step.get();
            } catch (IllegalArgumentException e) {
                throw failed(Failure.Kind.INVALID, "IllegalArgumentException", String.valueOf(e.getMessage()));
            }
        });
    }

    /// The code of a lost race.
    public static final String LOST_RACE = "CommitFailedException";

    /// A lost race.
    public static FailureException conflict(String message) {
        return failed(Failure.Kind.CONFLICT, LOST_RACE, message);
    }

    /// A bad request.
    public static FailureException bad(String message) {
        return failed(Failure.Kind.INVALID, "BadRequestException", message);
    }

    /// A body that cannot be read.
    public static FailureException malformed(String why) {
        return bad("Malformed request: " + why);
    }

    private static FailureException failed(Failure.Kind kind, String code, String message) {
        return new FailureException(new Failure(kind, code, message));
    }
}
