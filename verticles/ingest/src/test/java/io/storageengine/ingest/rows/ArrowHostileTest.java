package io.storageengine.ingest.rows;

import static io.storageengine.ingest.rows.ArrowBodies.field;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.flatbuffers.FlatBufferBuilder;
import io.storageengine.core.Failure;
import io.storageengine.core.FailureException;
import io.storageengine.core.message.RowOptions.OnError;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import org.apache.arrow.flatbuf.Endianness;
import org.apache.arrow.flatbuf.FieldNode;
import org.apache.arrow.flatbuf.Message;
import org.apache.arrow.flatbuf.MessageHeader;
import org.apache.arrow.flatbuf.MetadataVersion;
import org.apache.arrow.flatbuf.Null;
import org.apache.arrow.flatbuf.RecordBatch;
import org.apache.arrow.flatbuf.Struct_;
import org.apache.arrow.flatbuf.Type;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.iceberg.Schema;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Arrow streams that say more of themselves than is true.
@Timeout(60)
class ArrowHostileTest {
    private static final Schema LONGS = Bodies.column(Types.LongType.get());

    private static byte[] longs(int rows) {
        return ArrowBodies.of(List.of(field("c", new ArrowType.Int(64, true))), root -> {
            for (int i = 0; i < rows; i++) {
                ((BigIntVector) root.getVector(0)).setSafe(i, i);
            }
            root.setRowCount(rows);
        });
    }

    private static void refused(byte[] body, String why) {
        assertThatThrownBy(() -> Bodies.arrow(LONGS, OnError.SKIP, body))
                .isInstanceOfSatisfying(FailureException.class, failed -> {
                    assertThat(failed.failure().kind()).isEqualTo(Failure.Kind.INVALID);
                    assertThat(failed.failure().message()).contains(why);
                });
    }

    private static byte[] framed(ByteBuffer message, int body) {
        ByteBuffer framed = ByteBuffer.allocate(8 + message.remaining() + body).order(ByteOrder.LITTLE_ENDIAN);
        framed.putInt(-1).putInt(message.remaining()).put(message);
        return framed.array();
    }

    private static byte[] joined(byte[]... parts) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            out.writeBytes(part);
        }
        return out.toByteArray();
    }

    @Test
    void whatIsCutShortAnywhereIsRefused() {
        byte[] body = longs(100);
        for (int length = 0; length < body.length; length += 7) {
            refused(Arrays.copyOf(body, length), "it ends before its end mark");
        }
        refused(Arrays.copyOf(body, body.length - 8), "it ends before its end mark");
    }

    @Test
    void whatStandsBehindTheEndIsRefused() {
        refused(joined(longs(1), longs(1)), "something stands behind its end mark");
    }

    @Test
    void otherFormatsAreRefused() {
        refused(Bodies.utf8("ARROW1\0\0" + "x".repeat(100)), "is this the stream format");
        refused(Bodies.utf8("{\"c\":1}\n{\"c\":2}\n"), "is this the stream format");
        refused(new byte[8], "something stands behind its end mark");
        refused(new byte[4], "it has no schema");
    }

    @Test
    void lengthsAreNotBelieved() {
        refused(new byte[] {-1, -1, -1, -1, -1, -1, -1, 0x7F}, "the most is");
        refused(new byte[] {-1, -1, -1, -1, 0, 0, 0, 1}, "it ends before its end mark");
        refused(joined(schema(), batch(1, 1L << 40, 0, 0)), "the most is");
        refused(joined(schema(), batch(1, 200L << 20, 0, 0)), "it ends before its end mark");
        refused(joined(schema(), batch(1, -1, 0, 0)), "the most is");
        refused(joined(schema(), batch(1L << 40, 0, 0, 0)), "more values than its bytes hold");
        refused(joined(schema(), batch(1L << 30, 0, 0, 0)), "more values than its bytes hold");
        refused(joined(schema(), batch(10, 64, 0, 8)), "too short for its values");
        refused(joined(schema(), batch(1, 64, 60, 8)), "lies outside of its batch");
        refused(joined(schema(), batch(1, 64, Long.MAX_VALUE, 8)), "lies outside of its batch");
        refused(joined(schema(), batch(1, 64, -8, 8)), "lies outside of its batch");
    }

    /// The stream's first message.
    private static byte[] schema() {
        byte[] body = longs(0);
        int length = ByteBuffer.wrap(body).order(ByteOrder.LITTLE_ENDIAN).getInt(4);
        return Arrays.copyOf(body, 8 + length);
    }

    /// A batch of one column whose data buffer lies there.
    private static byte[] batch(long rows, long bodyLength, long offset, long length) {
        FlatBufferBuilder out = new FlatBufferBuilder();
        RecordBatch.startNodesVector(out, 1);
        FieldNode.createFieldNode(out, rows, 0);
        int nodes = out.endVector();
        RecordBatch.startBuffersVector(out, 2);
        org.apache.arrow.flatbuf.Buffer.createBuffer(out, offset, length);
        org.apache.arrow.flatbuf.Buffer.createBuffer(out, 0, 0);
        int buffers = out.endVector();
        int header = RecordBatch.createRecordBatch(out, rows, nodes, buffers, 0, 0);
        Message.finishMessageBuffer(
                out, Message.createMessage(out, MetadataVersion.V5, MessageHeader.RecordBatch, header, bodyLength, 0));
        return framed(out.dataBuffer(), Math.clamp(bodyLength, 0, 64));
    }

    @Test
    void aSchemaThatLeadsBackIntoItselfIsRefused() {
        refused(message(schema(2, 60)), "more than 10000 fields");
        refused(message(schema(1, 100)), "deep");
    }

    /// Structs in structs, each with the same one as every child.
    private static ByteBuffer schema(int children, int depth) {
        FlatBufferBuilder out = new FlatBufferBuilder();
        int name = out.createString("c");
        int field = flatField(out, name, Type.Null, nothing(out), new int[0]);
        for (int i = 0; i < depth; i++) {
            Struct_.startStruct_(out);
            int type = Struct_.endStruct_(out);
            int[] same = new int[children];
            Arrays.fill(same, field);
            field = flatField(out, name, Type.Struct_, type, same);
        }
        int fields = org.apache.arrow.flatbuf.Schema.createFieldsVector(out, new int[] {field});
        int schema = org.apache.arrow.flatbuf.Schema.createSchema(out, Endianness.Little, fields, 0, 0);
        Message.finishMessageBuffer(
                out, Message.createMessage(out, MetadataVersion.V5, MessageHeader.Schema, schema, 0, 0));
        return out.dataBuffer();
    }

    private static int nothing(FlatBufferBuilder out) {
        Null.startNull(out);
        return Null.endNull(out);
    }

    private static int flatField(FlatBufferBuilder out, int name, byte type, int offset, int[] children) {
        int vector = org.apache.arrow.flatbuf.Field.createChildrenVector(out, children);
        return org.apache.arrow.flatbuf.Field.createField(out, name, true, type, offset, 0, vector, 0);
    }

    private static byte[] message(ByteBuffer message) {
        return framed(message, 0);
    }

    @Test
    void nullsOfNoBytesDoNotMakeRowsWithoutEnd() {
        byte[] schema = message(schema(1, 0));
        FlatBufferBuilder out = new FlatBufferBuilder();
        RecordBatch.startNodesVector(out, 1);
        FieldNode.createFieldNode(out, Integer.MAX_VALUE, Integer.MAX_VALUE);
        int nodes = out.endVector();
        RecordBatch.startBuffersVector(out, 0);
        int buffers = out.endVector();
        int header = RecordBatch.createRecordBatch(out, Integer.MAX_VALUE, nodes, buffers, 0, 0);
        Message.finishMessageBuffer(
                out, Message.createMessage(out, MetadataVersion.V5, MessageHeader.RecordBatch, header, 0, 0));

        refused(joined(schema, framed(out.dataBuffer(), 0)), "more values than its bytes hold");
    }
}
