package io.storageengine.ingest.encode;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.complex.StructVector;
import org.apache.iceberg.Schema;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.jspecify.annotations.Nullable;

/// One leaf column of a schema: what Parquet stores as one column chunk.
///
/// @param fieldId Iceberg's id; -1 inside a variant
/// @param type its Iceberg type; binary inside a variant
/// @param repeated within a list or map
/// @param way finds it in a batch
record Leaf(int fieldId, Type type, boolean repeated, Function<VectorSchemaRoot, LeafPath> way) {

    /// Its values may be fractions, or not a number.
    boolean isFloating() {
        return type.typeId() == Type.TypeID.FLOAT || type.typeId() == Type.TypeID.DOUBLE;
    }

    /// A schema's leaves in the order in which Parquet has them. Columns of type unknown are not stored.
    static List<Leaf> of(Schema schema) {
        List<Leaf> leaves = new ArrayList<>();
        List<Types.NestedField> columns = schema.columns();
        for (int i = 0; i < columns.size(); i++) {
            int column = i;
            collect(columns.get(i), 0, below -> root -> below.to(root.getVector(column)), leaves);
        }
        return leaves;
    }

    /// The rest of a way, from a vector on.
    private interface Down {
        LeafPath to(FieldVector vector);
    }

    /// Puts the way from the batch to a field before the rest of the way.
    private interface Up {
        Function<VectorSchemaRoot, LeafPath> from(Down below);
    }

    private static void collect(Types.NestedField field, int repetition, Up up, List<Leaf> leaves) {
        boolean optional = field.isOptional();
        switch (field.type()) {
            case Types.StructType struct -> children(struct, optional, repetition, up, leaves);
            case Types.ListType list -> {
                Up element = below -> up.from(step(optional, repetition + 1, Leaf::elements, below));
                collect(list.fields().get(0), repetition + 1, element, leaves);
            }
            case Types.MapType map -> {
                for (int i = 0; i < 2; i++) {
                    int child = i;
                    Up entry = below ->
                            up.from(step(optional, repetition + 1, vector -> child(elements(vector), child), below));
                    collect(map.fields().get(i), repetition + 1, entry, leaves);
                }
            }
            case Types.VariantType _ -> {
                for (int i = 0; i < 2; i++) {
                    int child = i;
                    Down bytes = vector -> new LeafPath(vector, false, 0, null);
                    Down variant = step(optional, 0, vector -> child(vector, child), bytes);
                    leaves.add(new Leaf(-1, Types.BinaryType.get(), repetition > 0, up.from(variant)));
                }
            }
            default -> {
                if (field.type().typeId() != Type.TypeID.UNKNOWN) {
                    Down leaf = vector -> new LeafPath(vector, optional, 0, null);
                    leaves.add(new Leaf(field.fieldId(), field.type(), repetition > 0, up.from(leaf)));
                }
            }
        }
    }

    private static void children(Types.StructType struct, boolean optional, int repetition, Up up, List<Leaf> leaves) {
        for (int i = 0; i < struct.fields().size(); i++) {
            int child = i;
            Up field = below -> up.from(step(optional, 0, vector -> child(vector, child), below));
            collect(struct.fields().get(i), repetition, field, leaves);
        }
    }

    private static Down step(
            boolean optional, int repetition, Function<FieldVector, FieldVector> child, @Nullable Down below) {
        return vector ->
                new LeafPath(vector, optional, repetition, below == null ? null : below.to(child.apply(vector)));
    }

    private static FieldVector elements(FieldVector list) {
        return ((ListVector) list).getDataVector();
    }

    private static FieldVector child(FieldVector struct, int index) {
        return ((StructVector) struct).getChildrenFromFields().get(index);
    }
}
