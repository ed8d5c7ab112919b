package io.storageengine.ingest.rows;

import io.storageengine.ingest.rows.cells.Cells;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.complex.ListVector;

/// A column of arrays.
final class ListColumn extends RowColumn {
    private final RowColumn element;
    private final Offsets offsets = new Offsets();

    ListColumn(JsonScanner in, Slot slot, RowColumn element) {
        super(in, slot);
        this.element = element;
    }

    @Override
    void bind(FieldVector bound, int rows) {
        ListVector list = (ListVector) bound;
        count = 0;
        offsets.bind(list, rows);
        element.bind(list.getDataVector(), rows);
    }

    @Override
    void readValue(int first) {
        if (first != '[') {
            throw in.wrongType("an array", first);
        }
        readElements();
        offsets.append(count++, element.count, true);
    }

    private void readElements() {
        in.enter();
        if (in.peek() != ']') {
            do {
                element.read();
                in.at = path;
            } while (in.more(']'));
        }
        in.leave();
    }

    @Override
    void readString() {
        throw in.wrongType("an array", '"');
    }

    @Override
    void readPlain() {
        readJson();
    }

    @Override
    void takeValue(Cells cells, int at) {
        if (!(cells instanceof Cells.Lists lists)) {
            throw wrongType(cells);
        }
        Cells elements = lists.elements();
        int to = lists.to(at);
        for (int i = lists.from(at); i < to; i++) {
            element.take(elements, i);
        }
        offsets.append(count++, element.count, true);
    }

    @Override
    void appendNull() {
        offsets.append(count++, element.count, false);
    }

    @Override
    void appendDefault(Object value) {
        throw new IllegalStateException("Iceberg has no defaults for lists");
    }

    @Override
    void truncate(int values) {
        count = Math.min(count, values);
        element.truncate(offsets.end(count));
    }

    @Override
    void finish() {
        element.finish();
        offsets.finish(count);
    }

    @Override
    long bytes() {
        return element.bytes() + 4L * count + (count >> 3);
    }
}
