package io.storageengine.catalog.iceberg;

import io.storageengine.core.Failure;
import io.storageengine.core.FailureException;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.apache.iceberg.RetryableValidationException;
import org.apache.iceberg.exceptions.CommitFailedException;
import org.apache.iceberg.exceptions.UnprocessableEntityException;
import org.apache.iceberg.exceptions.ValidationException;

/// What Iceberg's library throws, as failures.
public final class Refusals {
    private static final String NO_NUMBER =
            "The request has a value that should be a number and is none, or is too large for one";
    private static final String UNSAID = "The request lacks a field, or one has a wrong form";

    /// Names of Java classes, and Jackson's remarks on where it was.
    private static final Pattern INTERNALS =
            Pattern.compile("\\b[a-z]\\w*(\\.[a-z]\\w*)+\\.[A-Z]|reference chain|Source: |\\(class |Exception:|`[A-Z]");

    private Refusals() {}

    /// What an exception of Iceberg's library tells a client: its message, unless that tells of Java.
    public static String said(Exception e) {
        if (e instanceof NumberFormatException) return NO_NUMBER;
        String message = e.getMessage();
        return message == null || INTERNALS.matcher(message).find() ? UNSAID : message;
    }

    /// Runs a step of Iceberg's library on a client's input. What it throws is the input's fault: a failed
    /// requirement or a stale number is a lost race, everything else a bad request.
    public static <T> T of(Supplier<T> step) {
        try {
            return step.get();
        } catch (CommitFailedException e) {
            throw conflict(said(e));
        } catch (RetryableValidationException e) {
            throw conflict("Validation failed, please retry: " + e.getMessage());
        } catch (UnprocessableEntityException e) {
            throw failed(Failure.Kind.INVALID, "UnprocessableEntityException", said(e));
        } catch (ValidationException e) {
            throw failed(Failure.Kind.INVALID, "ValidationException", said(e));
        } catch (IllegalArgumentException | UnsupportedOperationException | IllegalStateException e) {
            throw bad(said(e));
        } catch (NullPointerException | ClassCastException | IndexOutOfBoundsException | ArithmeticException e) {
            throw bad(UNSAID);
        }
    }

    /// The same for views: what the library calls an illegal argument keeps that name, which tells the Java
    /// client to throw it too.
    static <T> T ofView(Supplier<T> step) {
        return of(() -> {
            try {
                return step.get();
            } catch (IllegalArgumentException e) {
                throw failed(Failure.Kind.INVALID, "IllegalArgumentException", said(e));
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
