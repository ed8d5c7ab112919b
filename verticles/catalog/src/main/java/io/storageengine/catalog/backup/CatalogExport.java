package io.storageengine.catalog.backup;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.storageengine.catalog.registry.CatalogConfig;
import io.storageengine.catalog.state.CatalogState;
import io.storageengine.catalog.state.StateCodec;
import io.storageengine.core.Failure;
import io.storageengine.core.FailureException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;

/// A native catalog as of one entry of its log, and its one file. The file is a line of JSON,
///
///     {"se-catalog-export":1,"catalog":…,"bucket":…,"prefix":…,"position":…,"wallMillis":…}
///
/// then the state as a checkpoint of the log has it (gzip of JSON, with a version of its own), then the SHA-256
/// of all bytes before it (32 bytes).
///
/// @param catalog its id where it was exported
/// @param warehouse where its log is, and new tables go
/// @param position of the entry
/// @param wallMillis when it was exported
public record CatalogExport(
        String catalog, CatalogConfig.Native warehouse, long position, long wallMillis, CatalogState state) {
    private static final String MARK = "se-catalog-export";
    private static final String START = "{\"" + MARK + "\":";
    private static final int VERSION = 1;
    private static final int HASH_BYTES = 32;
    private static final ObjectMapper JSON = new ObjectMapper();

    /// How much it has, for messages to people.
    public String holds() {
        return state.spaces().size() + " namespaces, " + state.tableCount() + " tables, " + state.viewCount()
                + " views";
    }

    /// `s3://bucket/prefix` of the warehouse.
    public String warehousePlace() {
        return BackupStorage.place(warehouse);
    }

    /// The file's bytes.
    public byte[] encode() {
        ObjectNode head = JSON.createObjectNode();
        head.put(MARK, VERSION).put("catalog", catalog).put("bucket", warehouse.bucket());
        head.put("prefix", warehouse.prefix()).put("position", position).put("wallMillis", wallMillis);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try {
            out.write(JSON.writeValueAsBytes(head));
            out.write('\n');
            ByteBuffer bytes = StateCodec.encode(state);
            out.write(bytes.array(), bytes.arrayOffset() + bytes.position(), bytes.remaining());
            out.write(hash(out.toByteArray(), out.size()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toByteArray();
    }

    /// Reads a file, of which nothing is believed before its checksum is right.
    ///
    /// @throws FailureException `CORRUPT` with what is wrong: no export, one of a newer version, damaged or
    ///     cut short
    public static CatalogExport decode(byte[] file) {
        byte[] start = START.getBytes(StandardCharsets.US_ASCII);
        if (file.length < start.length || !Arrays.equals(file, 0, start.length, start, 0, start.length)) {
            throw wrong("This is no export of a catalog: one begins with " + START);
        }
        int newline = newline(file);
        int end = file.length - HASH_BYTES;
        if (newline < 0
                || newline >= end
                || !Arrays.equals(hash(file, end), Arrays.copyOfRange(file, end, file.length))) {
            throw wrong("This export of a catalog is damaged or cut short: its checksum is not that of its "
                    + file.length + " bytes; take another copy of it, or export again");
        }
        return decode(head(file, newline), ByteBuffer.wrap(file, newline + 1, end - newline - 1));
    }

    private static CatalogExport decode(JsonNode head, ByteBuffer state) {
        int version = head.path(MARK).asInt();
        if (version != VERSION) {
            throw wrong("This export has format " + version + ", and this program reads " + VERSION
                    + ": import it with a newer one");
        }
        return new CatalogExport(
                head.path("catalog").asText(),
                new CatalogConfig.Native(
                        head.path("bucket").asText(), head.path("prefix").asText()),
                head.path("position").asLong(),
                head.path("wallMillis").asLong(),
                StateCodec.decode(state.slice()));
    }

    private static JsonNode head(byte[] file, int newline) {
        try {
            return JSON.readTree(file, 0, newline);
        } catch (IOException e) {
            throw wrong("The first line of this export of a catalog is not JSON: it was not written by se");
        }
    }

    private static int newline(byte[] file) {
        for (int i = 0; i < file.length; i++) if (file[i] == '\n') return i;
        return -1;
    }

    private static byte[] hash(byte[] bytes, int length) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(bytes, 0, length);
            return digest.digest();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    private static FailureException wrong(String message) {
        return new FailureException(Failure.Kind.CORRUPT, message);
    }
}
