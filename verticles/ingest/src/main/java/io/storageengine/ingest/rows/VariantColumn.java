package io.storageengine.ingest.rows;

import io.storageengine.ingest.rows.RowFault.Codes;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.complex.StructVector;
import org.apache.parquet.variant.Variant;
import org.apache.parquet.variant.VariantBuilder;
import org.apache.parquet.variant.VariantObjectBuilder;

/// A column of any JSON values, in the Parquet variant encoding.
///
/// Integers are kept as 64-bit integers or, beyond them, decimals; numbers with a point as decimals of up to 38
/// digits; with an exponent, or longer, as doubles. Integers of more than 38 digits are refused.
final class VariantColumn extends RowColumn {
    private static final int DECIMAL_DIGITS = 38;

    private final Validity validity = new Validity();
    private final BytesColumn metadata;
    private final BytesColumn value;

    VariantColumn(JsonScanner in, Slot slot) {
        super(in, slot);
        this.metadata = new BytesColumn(in, new Slot(slot.path(), true, null), true);
        this.value = new BytesColumn(in, new Slot(slot.path(), true, null), true);
    }

    @Override
    void bind(FieldVector bound, int rows) {
        StructVector struct = (StructVector) bound;
        validity.bind(struct, rows);
        count = 0;
        List<FieldVector> children = struct.getChildrenFromFields();
        metadata.bind(children.get(0), rows);
        value.bind(children.get(1), rows);
    }

    @Override
    void readValue(int first) {
        VariantBuilder builder = new VariantBuilder();
        build(builder, first);
        append(builder.build());
    }

    private void append(Variant variant) {
        append(metadata, variant.getMetadataBuffer());
        append(value, variant.getValueBuffer());
        validity.append(count++, true);
    }

    /// A JSON string stands for itself.
    @Override
    void readString() {
        VariantBuilder builder = new VariantBuilder();
        builder.appendString(in.textAsString());
        append(builder.build());
    }

    @Override
    void readPlain() {
        readJson();
    }

    @Override
    void takeText() {
        readJson();
    }

    private static void append(BytesColumn column, ByteBuffer bytes) {
        byte[] copy = new byte[bytes.remaining()];
        bytes.duplicate().get(copy);
        column.append(copy);
    }

    private void build(VariantBuilder out, int first) {
        switch (first) {
            case '{' -> buildObject(out.startObject());
            case '[' -> buildArray(out);
            case '"' -> {
                in.string();
                out.appendString(in.textAsString());
            }
            case 't' -> {
                in.literal("true");
                out.appendBoolean(true);
            }
            case 'f' -> {
                in.literal("false");
                out.appendBoolean(false);
            }
            case 'n' -> {
                in.literal("null");
                out.appendNull();
            }
            default -> {
                in.requireNumber(first);
                in.number();
                buildNumber(out);
            }
        }
        if (first == '{') {
            out.endObject();
        }
    }

    private void buildObject(VariantObjectBuilder object) {
        in.enter();
        Set<String> keys = new HashSet<>();
        if (in.peek() != '}') {
            do {
                in.name();
                String key = in.textAsString();
                if (!keys.add(key)) {
                    throw in.fault(Codes.DUPLICATE_KEY, "an object has a key twice");
                }
                object.appendKey(key);
                build(object, in.peek());
            } while (in.more('}'));
        }
        in.leave();
    }

    private void buildArray(VariantBuilder out) {
        VariantBuilder array = out.startArray();
        in.enter();
        if (in.peek() != ']') {
            do {
                build(array, in.peek());
            } while (in.more(']'));
        }
        in.leave();
        out.endArray();
    }

    private void buildNumber(VariantBuilder out) {
        NumberText number = in.number;
        if (number.isPlainInteger() && number.isExact()) {
            out.appendLong(number.negative() ? -number.mantissa() : number.mantissa());
            return;
        }
        if (number.isTooLong()) {
            throw in.fault(Codes.TOO_PRECISE, "the number is longer than " + NumberText.DIGITS_MAX);
        }
        if (number.hasExponent()) {
            out.appendDouble(finite(number));
            return;
        }
        BigDecimal exact = number.toBigDecimal();
        if (exact.scale() == 0 && exact.unscaledValue().bitLength() < 64) {
            out.appendLong(exact.longValue());
        } else if (exact.precision() <= DECIMAL_DIGITS && exact.scale() <= DECIMAL_DIGITS) {
            out.appendDecimal(exact);
        } else if (exact.scale() == 0) {
            throw outOfRange("an integer of more than " + DECIMAL_DIGITS + " digits");
        } else {
            out.appendDouble(finite(number));
        }
    }

    private double finite(NumberText number) {
        double value = number.toDouble();
        if (Double.isInfinite(value) || (value == 0 && !number.isZero())) {
            throw outOfRange("the number");
        }
        return value;
    }

    @Override
    void appendNull() {
        metadata.appendNull();
        value.appendNull();
        validity.append(count++, false);
    }

    @Override
    void appendDefault(Object value) {
        throw new IllegalStateException("Iceberg has no defaults for variants");
    }

    @Override
    void truncate(int values) {
        count = Math.min(count, values);
        metadata.truncate(values);
        value.truncate(values);
    }

    @Override
    void finish() {
        metadata.finish();
        value.finish();
    }

    @Override
    long bytes() {
        return metadata.bytes() + value.bytes() + (count >> 3);
    }
}
