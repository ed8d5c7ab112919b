package io.storageengine.ingest.wal;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.storageengine.core.Failure;
import io.storageengine.core.FailureException;
import io.storageengine.core.message.TableRef;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32C;

/// The bytes of a log entry; the package's description has the format.
public final class Segment {
    private static final int MAGIC = 0x53455731;
    private static final int FOOTER_BYTES = 12;
    private static final ObjectMapper JSON = new ObjectMapper();

    private Segment() {}

    /// Writes blocks as one payload.
    public static ByteBuffer write(List<Block> blocks) {
        List<ByteBuffer> bodies =
                blocks.stream().map(block -> body(block.body())).toList();
        byte[] index = index(blocks, bodies);
        int bytes = bodies.stream().mapToInt(ByteBuffer::remaining).sum();
        ByteBuffer out = ByteBuffer.allocate(4 + bytes + index.length + FOOTER_BYTES);
        out.putInt(MAGIC);
        bodies.forEach(body -> out.put(body.duplicate()));
        out.put(index).putInt(index.length).putInt(crc(ByteBuffer.wrap(index))).putInt(MAGIC);
        return out.flip();
    }

    private static ByteBuffer body(Block.Body body) {
        return switch (body) {
            case Block.Rows(int schemaId, ByteBuffer ipc) -> ipc;
            case Block.Files(List<String> files) -> ByteBuffer.wrap(strings(files));
        };
    }

    private static byte[] strings(List<String> files) {
        try {
            return JSON.writeValueAsBytes(files);
        } catch (JsonProcessingException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    private static byte[] index(List<Block> blocks, List<ByteBuffer> bodies) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(512 * blocks.size());
        try (JsonGenerator out = JSON.createGenerator(bytes)) {
            out.writeStartObject();
            out.writeArrayFieldStart("blocks");
            int offset = 4;
            for (int i = 0; i < blocks.size(); i++) {
                write(out, blocks.get(i), offset, bodies.get(i));
                offset += bodies.get(i).remaining();
            }
            out.writeEndArray();
            out.writeEndObject();
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return bytes.toByteArray();
    }

    private static void write(JsonGenerator out, Block block, int offset, ByteBuffer body) throws IOException {
        out.writeStartObject();
        out.writeStringField("catalog", block.table().catalog());
        out.writeArrayFieldStart("namespace");
        for (String level : block.table().namespace()) out.writeString(level);
        out.writeEndArray();
        out.writeStringField("table", block.table().name());
        out.writeStringField("uuid", block.tableUuid());
        out.writeNumberField("rows", block.rows());
        out.writeNumberField("at", block.wallMillis());
        out.writeStringField("kind", block.body() instanceof Block.Rows ? "rows" : "files");
        if (block.body() instanceof Block.Rows rows) out.writeNumberField("schema", rows.schemaId());
        out.writeNumberField("offset", offset);
        out.writeNumberField("length", body.remaining());
        out.writeNumberField("crc", crc(body));
        if (block.key().isPresent()) write(out, block.key().get());
        if (block.part().isPresent()) write(out, block.part().get());
        out.writeEndObject();
    }

    private static void write(JsonGenerator out, Block.RequestKey key) throws IOException {
        out.writeStringField("key", key.key());
        out.writeStringField("hash", key.hash());
        out.writeStringField("answer", key.answer());
    }

    private static void write(JsonGenerator out, Block.ChannelPart part) throws IOException {
        out.writeObjectFieldStart("channel");
        out.writeStringField("name", part.channel());
        out.writeNumberField("life", part.life());
        out.writeNumberField("from", part.from());
        out.writeNumberField("to", part.to());
        out.writeNumberField("rejected-before", part.rejectedBefore());
        out.writeNumberField("rejected", part.rejected());
        out.writeEndObject();
    }

    /// Reads a payload; the blocks share its bytes.
    ///
    /// @throws FailureException `CORRUPT` when anything is not as it was written
    public static List<Block> read(ByteBuffer payload) {
        try {
            ByteBuffer in = payload.slice();
            List<Block> blocks = new ArrayList<>();
            for (JsonNode node : index(in).get("blocks")) blocks.add(block(in, node));
            return blocks;
        } catch (IOException | IndexOutOfBoundsException | IllegalArgumentException | NullPointerException broken) {
            throw new FailureException(Failure.Kind.CORRUPT, "Not a segment of a write-ahead log: " + broken);
        }
    }

    private static JsonNode index(ByteBuffer in) throws IOException {
        int end = in.limit() - FOOTER_BYTES;
        check(end >= 4 && in.getInt(0) == MAGIC && in.getInt(end + 8) == MAGIC, "it does not end as it should");
        int length = in.getInt(end);
        check(length >= 0 && length <= end - 4, "its index is longer than it");
        ByteBuffer index = in.slice(end - length, length);
        check(crc(index) == in.getInt(end + 4), "its index was changed");
        byte[] bytes = new byte[length];
        index.get(bytes);
        return JSON.readTree(bytes);
    }

    private static Block block(ByteBuffer in, JsonNode node) throws IOException {
        ByteBuffer body =
                in.slice(node.get("offset").asInt(), node.get("length").asInt());
        check(crc(body) == node.get("crc").asInt(), "a block was changed");
        List<String> namespace = new ArrayList<>();
        node.get("namespace").forEach(level -> namespace.add(level.asText()));
        return new Block(
                new TableRef(
                        node.get("catalog").asText(),
                        namespace,
                        node.get("table").asText()),
                node.get("uuid").asText(),
                node.get("rows").asLong(),
                node.get("at").asLong(),
                node.get("kind").asText().equals("rows")
                        ? new Block.Rows(node.get("schema").asInt(), body.asReadOnlyBuffer())
                        : new Block.Files(files(body)),
                key(node),
                part(node));
    }

    private static List<String> files(ByteBuffer body) throws IOException {
        byte[] bytes = new byte[body.remaining()];
        body.duplicate().get(bytes);
        List<String> files = new ArrayList<>();
        JSON.readTree(bytes).forEach(file -> files.add(file.asText()));
        return files;
    }

    private static Optional<Block.RequestKey> key(JsonNode node) {
        return node.has("key")
                ? Optional.of(new Block.RequestKey(
                        node.get("key").asText(),
                        node.get("hash").asText(),
                        node.get("answer").asText()))
                : Optional.empty();
    }

    private static Optional<Block.ChannelPart> part(JsonNode node) {
        JsonNode channel = node.get("channel");
        if (channel == null) return Optional.empty();
        return Optional.of(new Block.ChannelPart(
                channel.get("name").asText(),
                channel.get("life").asLong(),
                channel.get("from").asLong(),
                channel.get("to").asLong(),
                channel.get("rejected-before").asLong(),
                channel.get("rejected").asLong()));
    }

    private static int crc(ByteBuffer bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes.duplicate());
        return (int) crc.getValue();
    }

    private static void check(boolean holds, String otherwise) {
        if (!holds) throw new IllegalArgumentException(otherwise);
    }
}
