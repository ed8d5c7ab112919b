package io.storageengine.core.message;

import io.storageengine.core.Failure;
import java.util.OptionalLong;

/// The refusal of rows that would leave offsets of a channel out. Failures have a text only: this class alone
/// writes and reads it.
public final class OffsetGap {
    private static final String CODE = "OffsetGapException";
    private static final String EXPECTED = "the next offset is ";

    private OffsetGap() {}

    /// @param offset of the first row that came
    /// @param expected where the channel stands
    public static Failure failure(String channel, long offset, long expected) {
        return new Failure(
                Failure.Kind.CONFLICT,
                CODE,
                "Rows of channel " + channel + " came at offset " + offset + ", but " + EXPECTED + expected);
    }

    /// Where the channel stands, when the failure is such a refusal.
    public static OptionalLong expected(Failure failure) {
        if (!failure.code().equals(CODE)) return OptionalLong.empty();
        int at = failure.message().lastIndexOf(EXPECTED);
        return OptionalLong.of(Long.parseLong(failure.message().substring(at + EXPECTED.length())));
    }
}
