package io.storageengine.gateway.s3;

import io.storageengine.core.store.ObjectInfo;
import io.storageengine.core.store.Precondition;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.Optional;

/// Conditions in headers, with the precedence of RFC 9110, section 13.2.2. Pure.
///
/// @param ifMatch, ifNoneMatch, ifModifiedSince, ifUnmodifiedSince as sent; empty when not there
record Conditions(String ifMatch, String ifNoneMatch, String ifModifiedSince, String ifUnmodifiedSince) {
    /// Of a read.
    static Conditions of(S3Call call) {
        return of(call, "");
    }

    /// Of the source of a copy.
    static Conditions ofCopySource(S3Call call) {
        return of(call, "x-amz-copy-source-");
    }

    private static Conditions of(S3Call call, String prefix) {
        return new Conditions(
                call.header(prefix + "if-match"),
                call.header(prefix + "if-none-match"),
                call.header(prefix + "if-modified-since"),
                call.header(prefix + "if-unmodified-since"));
    }

    boolean isEmpty() {
        return ifMatch.isEmpty() && ifNoneMatch.isEmpty() && ifModifiedSince.isEmpty() && ifUnmodifiedSince.isEmpty();
    }

    /// What the conditions make of a read.
    enum Verdict {
        GO,
        NOT_MODIFIED,
        FAILED
    }

    Verdict of(ObjectInfo info) {
        Instant modified = info.lastModified().truncatedTo(ChronoUnit.SECONDS);
        if (!ifMatch.isEmpty()) {
            if (!names(ifMatch, info.etag())) return Verdict.FAILED;
        } else if (Times.parse(ifUnmodifiedSince).filter(modified::isAfter).isPresent()) {
            return Verdict.FAILED;
        }
        if (!ifNoneMatch.isEmpty()) {
            return names(ifNoneMatch, info.etag()) ? Verdict.NOT_MODIFIED : Verdict.GO;
        }
        Optional<Instant> since = Times.parse(ifModifiedSince);
        return since.isPresent() && !modified.isAfter(since.get()) ? Verdict.NOT_MODIFIED : Verdict.GO;
    }

    private static boolean names(String header, String etag) {
        return Arrays.stream(header.split(",", -1))
                .map(Conditions::bare)
                .anyMatch(name -> name.equals("*") || name.equals(etag));
    }

    /// An entity tag without quotes and weakness.
    static String bare(String tag) {
        String bare = tag.strip();
        if (bare.startsWith("W/")) bare = bare.substring(2);
        boolean quoted = bare.length() >= 2 && bare.startsWith("\"") && bare.endsWith("\"");
        return quoted ? bare.substring(1, bare.length() - 1) : bare;
    }

    /// The condition of a write: `If-None-Match: *` or `If-Match` with one tag.
    static Precondition ofWrite(S3Call call) {
        String absent = call.header("if-none-match").strip();
        String match = call.header("if-match").strip();
        if (absent.isEmpty() && match.isEmpty()) return Precondition.NONE;
        if (!absent.isEmpty() && !match.isEmpty()) throw S3Errors.notImplemented("If-Match beside If-None-Match");
        if (absent.equals("*")) return new Precondition.IfAbsent();
        if (!absent.isEmpty()) throw S3Errors.notImplemented("If-None-Match with a tag on a write");
        if (match.equals("*") || match.contains(","))
            throw S3Errors.notImplemented("If-Match without one tag on a write");
        return new Precondition.IfMatch(bare(match));
    }
}
