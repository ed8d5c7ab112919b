package io.storageengine.core.store;

/// Which bytes of an object to read (RFC 9110, section 14.1.2).
public sealed interface ByteRange {
    /// The whole object.
    ByteRange ALL = new From(0);

    /// From offset `first` to the end; `first` 0 is valid for an empty object.
    record From(long first) implements ByteRange {
        public From {
            if (first < 0) throw new IllegalArgumentException("negative offset");
        }
    }

    /// From offset `first` to offset `last`, both included; a `last` beyond the end means the end.
    record Between(long first, long last) implements ByteRange {
        public Between {
            if (first < 0 || last < first) throw new IllegalArgumentException("no such range");
        }
    }

    /// The last `length` bytes, or all when there are fewer; an empty object has none (`InvalidRange`).
    record Suffix(long length) implements ByteRange {
        public Suffix {
            if (length <= 0) throw new IllegalArgumentException("empty suffix");
        }
    }
}
