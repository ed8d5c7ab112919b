package io.storageengine.ingest.encode;

import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.complex.ListVector;
import org.jspecify.annotations.Nullable;

/// The way from a column of a batch down to one leaf. Each step is one field: it knows whether its value is
/// there and hands on to the step below.
///
/// @param vector the field's values
/// @param optional whether the field may be null, which is a definition level
/// @param repetition for a list or map its repetition level, else 0
/// @param below the next step; null at the leaf
record LeafPath(
        FieldVector vector,
        boolean optional,
        int repetition,
        @Nullable LeafPath below) {

    /// The vector at the end of the way.
    FieldVector leaf() {
        return below == null ? vector : below.leaf();
    }

    /// Adds the entries of rows `from` to `to` of a selection, for the way of a whole column.
    void addRows(Levels out, Selection rows, int from, int to) {
        if (below == null && (!optional || vector.getNullCount() == 0)) {
            out.addRows(rows, from, to, optional ? 1 : 0);
            return;
        }
        for (int i = from; i < to; i++) {
            add(out, rows.row(i), 0, 0);
        }
    }

    /// Adds the entries of one value of this field.
    ///
    /// @param index the value's place in [#vector]
    /// @param repetitionNow the level at which the first entry repeats
    /// @param definitionNow levels that are defined above
    void add(Levels out, int index, int repetitionNow, int definitionNow) {
        int definition = definitionNow;
        if (optional) {
            if (vector.isNull(index)) {
                out.add(repetitionNow, definition, -1);
                return;
            }
            definition++;
        }
        if (below == null) {
            out.add(repetitionNow, definition, index);
        } else if (repetition == 0) {
            below.add(out, index, repetitionNow, definition);
        } else {
            addElements(out, below, index, repetitionNow, definition);
        }
    }

    private void addElements(Levels out, LeafPath element, int index, int repetitionNow, int definition) {
        ListVector list = (ListVector) vector;
        int start = list.getElementStartIndex(index);
        int end = list.getElementEndIndex(index);
        if (start == end) {
            out.add(repetitionNow, definition, -1);
            return;
        }
        element.add(out, start, repetitionNow, definition + 1);
        for (int i = start + 1; i < end; i++) {
            element.add(out, i, repetition, definition + 1);
        }
    }
}
