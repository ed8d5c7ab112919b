package io.storageengine.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import io.storageengine.core.message.CatalogReply;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;

/// Loads by clients that take gzip.
class PackedLoadTest {
    private static final String TABLE = "/catalogs/dev/v1/namespaces/ns/tables/t";
    private final Room room = Room.dev();

    PackedLoadTest() {
        room.post("/catalogs/dev/v1/namespaces", "{\"namespace\":[\"ns\"]}");
        room.post("/catalogs/dev/v1/namespaces/ns/tables", Samples.createTable("t"));
    }

    private CatalogReply load(String query, Map<String, String> headers) {
        return room.call("GET", TABLE + query, headers, "");
    }

    private CatalogReply packed(String query) {
        return load(query, Map.of("accept-encoding", "deflate, gzip;q=0.8"));
    }

    private void grow(String value) {
        assertThat(room.post(TABLE, Samples.setProperty("long", value.repeat(20_000)))
                        .status())
                .isEqualTo(200);
    }

    private static String tag(CatalogReply reply) {
        return reply.headers().getOrDefault("etag", "");
    }

    private static String unpacked(CatalogReply reply) throws IOException {
        assertThat(reply.headers()).containsEntry("content-encoding", "gzip").containsEntry("vary", "accept-encoding");
        byte[] bytes = new byte[reply.body().remaining()];
        reply.body().duplicate().get(bytes);
        try (GZIPInputStream zip = new GZIPInputStream(new ByteArrayInputStream(bytes))) {
            return new String(zip.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void aLongAnswerIsPackedAndSaysTheSame() throws Exception {
        grow("a");
        for (String query : List.of("", "?snapshots=refs")) {
            CatalogReply packed = packed(query);
            CatalogReply plain = load(query, Map.of());
            assertThat(unpacked(packed)).isEqualTo(Room.text(plain));
            assertThat(packed.body().remaining()).isLessThan(plain.body().remaining() / 4);
            assertThat(plain.headers()).doesNotContainKey("content-encoding").containsEntry("vary", "accept-encoding");
            assertThat(tag(packed)).isNotEqualTo(tag(plain)).endsWith("-gzip\"");
        }
    }

    @Test
    void aNewStateIsPackedAnew() throws Exception {
        grow("a");
        String before = unpacked(packed(""));
        assertThat(unpacked(packed(""))).isEqualTo(before).contains("aaaa");
        grow("b");
        assertThat(unpacked(packed(""))).contains("bbbb").doesNotContain("aaaa");
    }

    @Test
    void whoHasEitherFormIsSentNothing() {
        grow("a");
        String packed = tag(packed(""));
        String plain = tag(load("", Map.of()));
        for (String known : List.of(packed, plain)) {
            CatalogReply same = load("", Map.of("accept-encoding", "gzip", "if-none-match", known));
            assertThat(same.status()).isEqualTo(304);
            assertThat(same.headers()).containsEntry("etag", known).containsEntry("vary", "accept-encoding");
        }
    }

    @Test
    void shortAnswersAndOtherClientsGetPlainText() {
        assertThat(packed("").headers()).doesNotContainKey("content-encoding");
        grow("a");
        for (String coding : List.of("identity", "br", "gzip;q=0", "gzip; q=0.0", ""))
            assertThat(load("", Map.of("accept-encoding", coding)).headers())
                    .as(coding)
                    .doesNotContainKey("content-encoding");
    }
}
