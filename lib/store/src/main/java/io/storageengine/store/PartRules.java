package io.storageengine.store;

import io.storageengine.core.Failure;
import io.storageengine.core.Failure.Kind;
import io.storageengine.core.store.UploadedPart;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// What S3 requires of the parts that make an object.
public final class PartRules {
    public static final long PART_BYTES_MIN = 5L << 20;

    private PartRules() {}

    /// Why the named parts make no object.
    ///
    /// @param stored what is there, by part number
    public static Optional<Failure> fault(List<UploadedPart> named, Map<Integer, UploadedPart> stored) {
        return orderFault(named).or(() -> absent(named, stored)).or(() -> tooSmall(named, stored));
    }

    /// What is wrong with the names alone.
    public static Optional<Failure> orderFault(List<UploadedPart> named) {
        if (named.isEmpty()) return invalid("InvalidPart", "an object is made of at least one part");
        int before = 0;
        for (UploadedPart part : named) {
            if (part.number() <= before) {
                return invalid("InvalidPartOrder", "name the parts in ascending order, each once");
            }
            before = part.number();
        }
        return Optional.empty();
    }

    private static Optional<Failure> absent(List<UploadedPart> named, Map<Integer, UploadedPart> stored) {
        for (UploadedPart part : named) {
            UploadedPart present = stored.get(part.number());
            if (present == null || !present.etag().equals(part.etag())) {
                return invalid("InvalidPart", "part " + part.number() + " is not there with this ETag");
            }
        }
        return Optional.empty();
    }

    private static Optional<Failure> tooSmall(List<UploadedPart> named, Map<Integer, UploadedPart> stored) {
        for (UploadedPart part : named.subList(0, named.size() - 1)) {
            if (stored.getOrDefault(part.number(), part).sizeBytes() < PART_BYTES_MIN) {
                return invalid("EntityTooSmall", "part " + part.number() + " has less than 5 MiB; only the last may");
            }
        }
        return Optional.empty();
    }

    /// The MD5 of the parts' MD5s, then `-` and their count.
    public static String md5Etag(List<UploadedPart> parts) {
        MessageDigest whole = md5();
        parts.forEach(part -> whole.update(HexFormat.of().parseHex(part.etag())));
        return HexFormat.of().formatHex(whole.digest()) + "-" + parts.size();
    }

    /// A fresh MD5.
    public static MessageDigest md5() {
        try {
            return MessageDigest.getInstance("MD5");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has MD5", e);
        }
    }

    private static Optional<Failure> invalid(String code, String message) {
        return Optional.of(new Failure(Kind.INVALID, code, message));
    }
}
