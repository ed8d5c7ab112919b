package io.storageengine.ingest.rows.arrow;

import io.storageengine.ingest.rows.cells.Cells;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;

/// Columns whose values have parts, and those that point elsewhere or to nothing.
final class NestedCells {
    private NestedCells() {}

    static final class Texts extends Column implements Cells.Texts {
        private final Extents extents;

        Texts(Column column, Extents extents) {
            super(column);
            this.extents = extents;
        }

        @Override
        public int length(int at) {
            return extents.length(at);
        }

        @Override
        public void copy(int at, byte[] target, int offset) {
            extents.copy(at, target, offset);
        }
    }

    static final class Bytes extends Column implements Cells.Bytes {
        private final Extents extents;

        Bytes(Column column, Extents extents) {
            super(column);
            this.extents = extents;
        }

        @Override
        public int length(int at) {
            return extents.length(at);
        }

        @Override
        public void copy(int at, byte[] target, int offset) {
            extents.copy(at, target, offset);
        }
    }

    static final class Structs extends Column implements Cells.Structs {
        private final List<String> names;
        private final List<Cells> fields;

        Structs(Column column, List<String> names, List<Cells> fields) {
            super(column);
            this.names = names;
            this.fields = fields;
        }

        @Override
        public List<String> names() {
            return names;
        }

        @Override
        public List<Cells> fields() {
            return fields;
        }
    }

    static final class Lists extends Column implements Cells.Lists {
        private final Ends ends;
        private final Cells elements;

        Lists(Column column, Ends ends, Cells elements) {
            super(column);
            this.ends = ends;
            this.elements = elements;
        }

        @Override
        public int from(int at) {
            return ends.from(at);
        }

        @Override
        public int to(int at) {
            return ends.to(at);
        }

        @Override
        public Cells elements() {
            return elements;
        }
    }

    static final class Maps extends Column implements Cells.Maps {
        private final Ends ends;
        private final Cells keys;
        private final Cells values;

        Maps(Column column, Ends ends, Cells keys, Cells values) {
            super(column);
            this.ends = ends;
            this.keys = keys;
            this.values = values;
        }

        @Override
        public int from(int at) {
            return ends.from(at);
        }

        @Override
        public int to(int at) {
            return ends.to(at);
        }

        @Override
        public Cells keys() {
            return keys;
        }

        @Override
        public Cells values() {
            return values;
        }
    }

    static final class Encoded extends Column implements Cells.Encoded {
        private final ArrowBuf places;
        private final int width;
        private final boolean signed;
        private final Cells values;

        Encoded(Column column, ArrowBuf places, int width, boolean signed, Cells values) {
            super(column);
            this.places = places;
            this.width = width;
            this.signed = signed;
            this.values = values;
        }

        /// Of any integer type, as a number of 64 bits.
        long wide(int at) {
            return NumberCells.integer(places, width, signed, at);
        }

        @Override
        public int place(int at) {
            return (int) wide(at);
        }

        @Override
        public Cells values() {
            return values;
        }
    }

    static final class Nothing extends Column implements Cells.Nothing {
        Nothing(Column column) {
            super(column);
        }

        @Override
        public boolean isNull(int at) {
            return true;
        }
    }

    static final class Strange extends Column implements Cells.Strange {
        Strange(Column column) {
            super(column);
        }
    }
}
