package io.storageengine.ingest.rows;

import io.storageengine.ingest.rows.RowFault.Codes;
import io.storageengine.ingest.rows.cells.Cells;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.complex.MapVector;
import org.apache.arrow.vector.complex.StructVector;
import org.jspecify.annotations.Nullable;

/// A column of maps. In JSON a map with string keys is an object; one with other keys is
/// `{"keys": […], "values": […]}` (Iceberg's JSON form of single values); either may also be an array of pairs
/// `[[key, value], …]`.
final class MapColumn extends RowColumn {
    private static final Name KEYS = new Name("keys");

    private final RowColumn key;
    private final RowColumn value;
    private final Offsets offsets = new Offsets();
    private final Validity entries = new Validity();
    private @Nullable FieldVector keys;

    MapColumn(JsonScanner in, Slot slot, RowColumn key, RowColumn value) {
        super(in, slot);
        this.key = key;
        this.value = value;
    }

    @Override
    void bind(FieldVector bound, int rows) {
        MapVector map = (MapVector) bound;
        count = 0;
        offsets.bind(map, rows);
        StructVector struct = (StructVector) map.getDataVector();
        entries.bind(struct, rows);
        FieldVector keyVector = struct.getChildrenFromFields().get(0);
        keys = keyVector;
        key.bind(keyVector, rows);
        value.bind(struct.getChildrenFromFields().get(1), rows);
    }

    @Override
    void readValue(int first) {
        int start = key.count;
        if (first == '[') {
            readPairs();
        } else if (first != '{') {
            throw in.wrongType("an object or an array of pairs", first);
        } else if (key instanceof BytesColumn text && text.takesNames()) {
            readObject(text);
        } else {
            readLists();
        }
        end(start);
    }

    private void end(int start) {
        refuseTwins(start);
        for (int i = start; i < key.count; i++) {
            entries.append(i, true);
        }
        offsets.append(count++, key.count, true);
    }

    @Override
    void readString() {
        throw in.wrongType("an object or an array of pairs", '"');
    }

    @Override
    void readPlain() {
        readJson();
    }

    @Override
    void takeValue(Cells cells, int at) {
        if (!(cells instanceof Cells.Maps maps)) {
            throw wrongType(cells);
        }
        int start = key.count;
        int to = maps.to(at);
        for (int i = maps.from(at); i < to; i++) {
            key.take(maps.keys(), i);
            value.take(maps.values(), i);
        }
        end(start);
    }

    private void readObject(BytesColumn names) {
        in.enter();
        if (in.peek() != '}') {
            do {
                in.at = path;
                in.name();
                names.appendText();
                value.read();
            } while (in.more('}'));
        }
        in.leave();
    }

    private void readPairs() {
        in.enter();
        if (in.peek() != ']') {
            do {
                readPair();
            } while (in.more(']'));
        }
        in.leave();
    }

    private void readPair() {
        in.at = path;
        requireArray("a pair `[key, value]`");
        in.enter();
        key.read();
        in.at = path;
        if (!in.more(']')) {
            throw in.fault(Codes.WRONG_TYPE, "expected a pair `[key, value]`, got one element");
        }
        value.read();
        in.at = path;
        if (in.more(']')) {
            throw in.fault(Codes.WRONG_TYPE, "expected a pair `[key, value]`, got more elements");
        }
        in.leave();
    }

    private void readLists() {
        in.enter();
        int keysAtStart = key.count;
        boolean keysFirst = readList();
        if (!in.more('}')) {
            throw notLists();
        }
        if (readList() == keysFirst) {
            throw notLists();
        }
        if (in.more('}')) {
            throw notLists();
        }
        in.leave();
        if (key.count != value.count) {
            String counts = (key.count - keysAtStart) + " keys";
            throw new BadRow(path, Codes.WRONG_LENGTH, counts + ", but not as many values");
        }
    }

    /// Reads one of the two lists; true when it is that of the keys.
    private boolean readList() {
        in.at = path;
        if (in.peek() != '"') {
            throw notLists();
        }
        boolean isKeys = in.skipName(KEYS);
        if (!isKeys) {
            in.name();
            if (!in.textAsString().equals("values")) {
                throw notLists();
            }
        }
        requireArray("an array");
        in.enter();
        if (in.peek() != ']') {
            do {
                (isKeys ? key : value).read();
                in.at = path;
            } while (in.more(']'));
        }
        in.leave();
        return isKeys;
    }

    private void requireArray(String expected) {
        int first = in.peek();
        if (first != '[') {
            throw in.wrongType(expected, first);
        }
    }

    private BadRow notLists() {
        in.at = path;
        return in.fault(Codes.WRONG_TYPE, "expected `{\"keys\": [...], \"values\": [...]}` or an array of pairs");
    }

    private void refuseTwins(int start) {
        if (key.count - start < 2) {
            return;
        }
        Set<Object> seen = new HashSet<>();
        for (int i = start; i < key.count; i++) {
            if (!seen.add(keyAt(i))) {
                throw new BadRow(path, Codes.DUPLICATE_KEY, "the map has a key twice");
            }
        }
    }

    private Object keyAt(int index) {
        if (key instanceof BytesColumn text) {
            return text.textAt(index);
        }
        Object found = Objects.requireNonNull(Objects.requireNonNull(keys).getObject(index));
        return found instanceof byte[] bytes ? ByteBuffer.wrap(bytes) : found;
    }

    @Override
    void appendNull() {
        offsets.append(count++, key.count, false);
    }

    @Override
    void appendDefault(Object value) {
        throw new IllegalStateException("Iceberg has no defaults for maps");
    }

    @Override
    void truncate(int values) {
        count = Math.min(count, values);
        int end = offsets.end(count);
        key.truncate(end);
        value.truncate(end);
    }

    @Override
    void finish() {
        key.finish();
        value.finish();
        offsets.finish(count);
    }

    @Override
    long bytes() {
        return key.bytes() + value.bytes() + 4L * count + (count >> 3) + (key.count >> 3);
    }
}
