package io.storageengine.ingest.rows;

import java.util.Objects;

/// Why one row was not taken. A row has one fault: the first that was met.
///
/// @param row the row's number in the body, from 0; blank lines do not count
/// @param field full name of the column (`a.b`, `list.element`, `map.value`); empty when the row as a whole is
///     bad
/// @param code one of [Codes], stable, for machines
/// @param reason a sentence for people: what is wrong and what to do
public record RowFault(long row, String field, String code, String reason) {
    public RowFault {
        Objects.requireNonNull(field);
        Objects.requireNonNull(code);
        Objects.requireNonNull(reason);
        if (row < 0) {
            throw new IllegalArgumentException("row " + row);
        }
    }

    /// Every code there is.
    public static final class Codes {
        /// The text is not JSON.
        public static final String MALFORMED_JSON = "MalformedJson";
        /// Quotes or line ends of CSV are where they should not be.
        public static final String MALFORMED_CSV = "MalformedCsv";
        /// The row has more or fewer fields than the header.
        public static final String WRONG_FIELD_COUNT = "WrongFieldCount";
        /// The row is JSON but not an object.
        public static final String NOT_AN_OBJECT = "NotAnObject";
        /// Bytes of a text are not UTF-8, or an escape names half a surrogate pair.
        public static final String INVALID_UTF8 = "InvalidUtf8";
        /// One object has a key twice.
        public static final String DUPLICATE_KEY = "DuplicateKey";
        /// Objects and arrays lie too deep in each other.
        public static final String TOO_DEEP = "TooDeep";
        /// The row has too many bytes.
        public static final String ROW_TOO_LONG = "RowTooLong";
        /// The table has no such column.
        public static final String UNKNOWN_FIELD = "UnknownField";
        /// A required column is absent.
        public static final String MISSING_REQUIRED = "MissingRequired";
        /// A required column is null.
        public static final String NULL_REQUIRED = "NullRequired";
        /// The value is of another kind than the column takes.
        public static final String WRONG_TYPE = "WrongType";
        /// The text does not have the form of the column's type.
        public static final String INVALID_VALUE = "InvalidValue";
        /// The value is beyond what the column's type holds.
        public static final String OUT_OF_RANGE = "OutOfRange";
        /// The value has more digits than the column keeps.
        public static final String TOO_PRECISE = "TooPrecise";
        /// A zone-less text for a zoned column.
        public static final String ZONE_MISSING = "ZoneMissing";
        /// A zoned text for a zone-less column.
        public static final String ZONE_UNEXPECTED = "ZoneUnexpected";
        /// Bytes of another length than the column's.
        public static final String WRONG_LENGTH = "WrongLength";

        private Codes() {}
    }
}
