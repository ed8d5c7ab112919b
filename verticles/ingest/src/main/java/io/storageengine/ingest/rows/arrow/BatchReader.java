package io.storageengine.ingest.rows.arrow;

import io.storageengine.ingest.rows.cells.Cells;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.arrow.flatbuf.FieldNode;
import org.apache.arrow.flatbuf.RecordBatch;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.vector.types.DateUnit;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.UnionMode;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.jspecify.annotations.Nullable;

/// Makes the columns of one batch from its body, in the order in which the format lays them out. What it makes
/// can be read at every place below its length: lengths, offsets and indices are checked here.
final class BatchReader {
    private static final int MILLIS_A_DAY = 86_400_000;
    /// Values may take no bytes, as nulls do: so many of them a batch has beyond what its bytes could hold.
    private static final long FREE_VALUES = 1 << 20;

    private final RecordBatch batch;
    private final IpcBody body;
    private final boolean isOld;
    private final Map<Long, Dictionary> dictionaries;
    private int node;
    private int buffer;
    private int variadic;

    /// The values that a dictionary has now.
    record Dictionary(Cells values, int length, IpcBody body) {}

    /// @param isOld of metadata version 4
    BatchReader(RecordBatch batch, IpcBody body, boolean isOld, Map<Long, Dictionary> dictionaries) {
        this.batch = batch;
        this.body = body;
        this.isOld = isOld;
        this.dictionaries = dictionaries;
    }

    /// How many rows it has.
    int rows() {
        return length(batch.length());
    }

    private int length(long length) {
        Invalid.unless(
                length >= 0
                        && length <= Integer.MAX_VALUE
                        && length / Byte.SIZE <= FREE_VALUES / Byte.SIZE + body.bytes(),
                "a batch has more values than its bytes hold");
        return (int) length;
    }

    /// Reads the next column.
    ///
    /// @param least how many values it must have
    Cells read(Field field, long least) {
        ArrowType type = IpcSchema.stored(field);
        Invalid.unless(node < batch.nodesLength(), "a batch has fewer columns than the schema");
        FieldNode counts = batch.nodes(node++);
        int length = length(counts.length());
        Invalid.unless(length >= least, "a column has fewer values than its batch");
        Invalid.unless(counts.nullCount() >= 0 && counts.nullCount() <= length, "a column's count of nulls is wrong");
        ArrowType kept =
                field.getDictionary() == null ? type : field.getDictionary().getIndexType();
        ArrowBuf validity = hasValidity(kept) ? validity(length, counts.nullCount()) : null;
        Column column = new Column("`" + type + "` of Arrow", length, validity);
        return field.getDictionary() == null
                ? plain(column, type, field.getChildren())
                : encoded(column, (ArrowType.Int) kept, field.getDictionary().getId());
    }

    private boolean hasValidity(ArrowType type) {
        return switch (type) {
            case ArrowType.Null _, ArrowType.RunEndEncoded _ -> false;
            case ArrowType.Union _ -> isOld;
            default -> true;
        };
    }

    private @Nullable ArrowBuf validity(int length, long nulls) {
        ArrowBuf bits = slice();
        if (bits.capacity() == 0) {
            Invalid.unless(nulls == 0, "a column has nulls, and does not say which");
            return null;
        }
        return isAllOnes(sized(bits, bits(length)), length) ? null : bits;
    }

    private static boolean isAllOnes(ArrowBuf bits, int length) {
        int at = 0;
        while (at + Long.SIZE <= length && bits.getLong(at / Byte.SIZE) == -1) {
            at += Long.SIZE;
        }
        while (at < length && (bits.getByte(at / Byte.SIZE) >> at % Byte.SIZE & 1) != 0) {
            at++;
        }
        return at == length;
    }

    private static long bits(int length) {
        return (length + 7L) / Byte.SIZE;
    }

    private ArrowBuf slice() {
        Invalid.unless(buffer < batch.buffersLength(), "a batch has fewer buffers than its columns need");
        return body.slice(batch.buffers(buffer++));
    }

    private ArrowBuf data(long bytes) {
        return sized(slice(), bytes);
    }

    private static ArrowBuf sized(ArrowBuf data, long bytes) {
        Invalid.unless(data.capacity() >= bytes, "a column's buffer is too short for its values");
        return data;
    }

    private Cells plain(Column column, ArrowType type, List<Field> children) {
        int length = column.length();
        return switch (type) {
            case ArrowType.Null _ -> new NestedCells.Nothing(column);
            case ArrowType.Bool _ -> new NumberCells.Booleans(column, data(bits(length)));
            case ArrowType.Int integer -> integers(column, integer);
            case ArrowType.FloatingPoint number -> floats(column, number);
            case ArrowType.Decimal decimal -> {
                int width = decimal.getBitWidth() / Byte.SIZE;
                yield new NumberCells.Decimals(column, data((long) width * length), width, decimal.getScale());
            }
            case ArrowType.Date date -> {
                boolean days = date.getUnit() == DateUnit.DAY;
                int width = days ? 4 : 8;
                yield new NumberCells.Dates(column, data((long) width * length), width, days ? 1 : MILLIS_A_DAY);
            }
            case ArrowType.Time time -> {
                int width = time.getBitWidth() == 32 ? 4 : 8;
                yield new NumberCells.Times(column, data((long) width * length), width, perSecond(time.getUnit()));
            }
            case ArrowType.Timestamp stamp ->
                new NumberCells.Timestamps(
                        column, data(8L * length), perSecond(stamp.getUnit()), stamp.getTimezone() != null);
            case ArrowType.Utf8 _ -> new NestedCells.Texts(column, joined(length, false));
            case ArrowType.LargeUtf8 _ -> new NestedCells.Texts(column, joined(length, true));
            case ArrowType.Utf8View _ -> new NestedCells.Texts(column, views(column));
            case ArrowType.Binary _ -> new NestedCells.Bytes(column, joined(length, false));
            case ArrowType.LargeBinary _ -> new NestedCells.Bytes(column, joined(length, true));
            case ArrowType.BinaryView _ -> new NestedCells.Bytes(column, views(column));
            case ArrowType.FixedSizeBinary fixed -> {
                int width = fixed.getByteWidth();
                yield new NestedCells.Bytes(column, new Extents.Fixed(width, data((long) width * length)));
            }
            default -> nested(column, type, children);
        };
    }

    private Cells integers(Column column, ArrowType.Int type) {
        int width = type.getBitWidth() / Byte.SIZE;
        ArrowBuf data = data((long) width * column.length());
        return width == Long.BYTES && !type.getIsSigned()
                ? new NumberCells.LargeIntegers(column, data)
                : new NumberCells.Integers(column, data, width, type.getIsSigned());
    }

    private Cells floats(Column column, ArrowType.FloatingPoint type) {
        int width = switch (type.getPrecision()) {
            case HALF -> 2;
            case SINGLE -> 4;
            case DOUBLE -> 8;
        };
        return new NumberCells.Floats(column, data((long) width * column.length()), width);
    }

    private static int perSecond(TimeUnit unit) {
        return switch (unit) {
            case SECOND -> 1;
            case MILLISECOND -> 1_000;
            case MICROSECOND -> 1_000_000;
            case NANOSECOND -> 1_000_000_000;
        };
    }

    private Cells nested(Column column, ArrowType type, List<Field> children) {
        return switch (type) {
            case ArrowType.Struct _ -> struct(column, children);
            case ArrowType.List _ -> list(column, ends(column.length(), false), children.getFirst());
            case ArrowType.LargeList _ -> list(column, ends(column.length(), true), children.getFirst());
            case ArrowType.FixedSizeList list -> fixed(column, list.getListSize(), children.getFirst());
            case ArrowType.ListView _ -> listViews(column, 4, children.getFirst());
            case ArrowType.LargeListView _ -> listViews(column, 8, children.getFirst());
            case ArrowType.Map _ -> map(column, ends(column.length(), false), children.getFirst());
            default -> strange(column, type, children);
        };
    }

    private NestedCells.Structs struct(Column column, List<Field> children) {
        List<Cells> fields = new ArrayList<>();
        for (Field child : children) {
            fields.add(read(child, column.length()));
        }
        return new NestedCells.Structs(
                column, children.stream().map(Field::getName).toList(), fields);
    }

    private Cells list(Column column, Ends ends, Field element) {
        return new NestedCells.Lists(column, ends, read(element, last(ends, column.length())));
    }

    private static int last(Ends ends, int length) {
        return length == 0 ? 0 : ends.to(length - 1);
    }

    private Cells fixed(Column column, int size, Field element) {
        Cells elements = read(element, (long) size * column.length());
        return new NestedCells.Lists(column, new Ends.Fixed(size), elements);
    }

    private Cells map(Column column, Ends ends, Field entries) {
        Cells.Structs structs = (Cells.Structs) read(entries, last(ends, column.length()));
        for (int i = 0; i < last(ends, column.length()); i++) {
            Invalid.unless(!structs.isNull(i), "an entry of a map is null");
        }
        return new NestedCells.Maps(
                column, ends, structs.fields().get(0), structs.fields().get(1));
    }

    private Cells listViews(Column column, int width, Field element) {
        ArrowBuf offsets = data((long) width * column.length());
        ArrowBuf sizes = data((long) width * column.length());
        long most = 0;
        for (int i = 0; i < column.length(); i++) {
            long from = NumberCells.integer(offsets, width, true, i);
            long size = NumberCells.integer(sizes, width, true, i);
            boolean good = from >= 0 && size >= 0 && size <= Integer.MAX_VALUE - from;
            Invalid.unless(column.isNull(i) || good, "a list lies outside of its elements");
            most = column.isNull(i) ? most : Math.max(most, from + size);
        }
        return new NestedCells.Lists(column, new Ends.Views(offsets, sizes, width), read(element, most));
    }

    /// Offsets that never go back, the last of them a place that a buffer or column may have.
    private Ends ends(int length, boolean wide) {
        int width = wide ? 8 : 4;
        ArrowBuf offsets = data(length == 0 ? 0 : width * (length + 1L));
        long before = 0;
        for (int i = 0; length > 0 && i <= length; i++) {
            long end = NumberCells.integer(offsets, width, true, i);
            Invalid.unless(end >= before && end <= Integer.MAX_VALUE, "a column's offsets are wrong");
            before = end;
        }
        return wide ? new Ends.Wide(offsets) : new Ends.Narrow(offsets);
    }

    private Extents joined(int length, boolean wide) {
        Ends ends = ends(length, wide);
        return new Extents.Joined(ends, data(last(ends, length)));
    }

    private Extents views(Column column) {
        ArrowBuf views = data(16L * column.length());
        Invalid.unless(variadic < batch.variadicBufferCountsLength(), "a column of views has no count of buffers");
        long count = batch.variadicBufferCounts(variadic++);
        Invalid.unless(count >= 0 && count <= batch.buffersLength(), "a column of views has a wrong count of buffers");
        List<ArrowBuf> data = new ArrayList<>();
        for (long i = 0; i < count; i++) {
            data.add(slice());
        }
        Extents.Views extents = new Extents.Views(views, data);
        for (int i = 0; i < column.length(); i++) {
            Invalid.unless(column.isNull(i) || extents.isGood(i), "a value lies outside of its column's buffers");
        }
        return extents;
    }

    private Cells encoded(Column column, ArrowType.Int type, long id) {
        int width = type.getBitWidth() / Byte.SIZE;
        ArrowBuf places = data((long) width * column.length());
        Dictionary dictionary = dictionaries.get(id);
        Cells values = dictionary == null ? new NestedCells.Nothing(column) : dictionary.values();
        long count = dictionary == null ? 0 : dictionary.length();
        NestedCells.Encoded encoded = new NestedCells.Encoded(column, places, width, type.getIsSigned(), values);
        for (int i = 0; i < column.length(); i++) {
            long place = encoded.wide(i);
            Invalid.unless(
                    column.isNull(i) || (place >= 0 && place < count), "a value is not in its column's dictionary");
        }
        return encoded;
    }

    /// Passes over a column that no table takes.
    private Cells strange(Column column, ArrowType type, List<Field> children) {
        int buffers = switch (type) {
            case ArrowType.Interval _, ArrowType.Duration _ -> 1;
            case ArrowType.Union union -> union.getMode() == UnionMode.Dense ? 2 : 1;
            case ArrowType.RunEndEncoded _ -> 0;
            default -> throw Invalid.because("it has values of the type " + type);
        };
        for (int i = 0; i < buffers; i++) {
            slice();
        }
        for (Field child : children) {
            read(child, 0);
        }
        return new NestedCells.Strange(column);
    }

    /// A batch with more in it than the schema tells of is not of that schema.
    void end() {
        Invalid.unless(
                node == batch.nodesLength() && buffer == batch.buffersLength(),
                "a batch has more columns or buffers than the schema");
    }
}
