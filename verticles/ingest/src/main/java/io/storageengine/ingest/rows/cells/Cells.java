package io.storageengine.ingest.rows.cells;

import java.math.BigDecimal;
import java.util.List;

/// One column of a body with types of its own, its values read by their places. Whoever makes one has checked
/// it: a place below its length can be asked for, whatever the sender sent. Values are asked for only where they
/// are not null. Not thread-safe.
public sealed interface Cells {
    /// The type, for people.
    String type();

    boolean isNull(int at);

    /// Nothing but nulls.
    non-sealed interface Nothing extends Cells {
        @Override
        default boolean isNull(int at) {
            return true;
        }
    }

    non-sealed interface Booleans extends Cells {
        boolean isTrue(int at);
    }

    /// Integers of up to 64 bits with a sign.
    non-sealed interface Integers extends Cells {
        long integer(int at);
    }

    /// Decimals, and integers that need not fit 64 bits.
    non-sealed interface Decimals extends Cells {
        BigDecimal decimal(int at);
    }

    /// Binary floating-point numbers; a double holds each of them exactly.
    non-sealed interface Floats extends Cells {
        double number(int at);
    }

    non-sealed interface Dates extends Cells {
        /// From 1970-01-01.
        long units(int at);

        int unitsPerDay();
    }

    non-sealed interface Times extends Cells {
        /// From midnight.
        long units(int at);

        int unitsPerSecond();
    }

    non-sealed interface Timestamps extends Cells {
        /// From 1970-01-01T00:00:00, in UTC when zoned.
        long units(int at);

        int unitsPerSecond();

        boolean isZoned();
    }

    /// Bytes of any length, or of one.
    non-sealed interface Bytes extends Cells {
        int length(int at);

        void copy(int at, byte[] target, int offset);
    }

    /// Texts. They should be UTF-8, which is for the reader to check.
    non-sealed interface Texts extends Cells {
        int length(int at);

        void copy(int at, byte[] target, int offset);
    }

    non-sealed interface Structs extends Cells {
        List<String> names();

        /// The fields' values, each at the struct's own place.
        List<Cells> fields();
    }

    non-sealed interface Lists extends Cells {
        /// The place of the first element among [#elements].
        int from(int at);

        /// The place behind the last one.
        int to(int at);

        Cells elements();
    }

    non-sealed interface Maps extends Cells {
        int from(int at);

        int to(int at);

        Cells keys();

        Cells values();
    }

    /// Values that are kept once and pointed to. Not null where it points to a null: that value says it itself.
    non-sealed interface Encoded extends Cells {
        int place(int at);

        Cells values();
    }

    /// Of a type that no column takes.
    non-sealed interface Strange extends Cells {}
}
