package io.storageengine.ingest.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.storageengine.ingest.rows.Bodies;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.zip.CRC32;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

class GzipBodyTest {
    private static byte[] gzip(byte[] bytes) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
            gzip.write(bytes);
        }
        return out.toByteArray();
    }

    private static byte[] unzip(byte[] bytes, SplittableRandom random) throws IOException {
        try (InputStream body = new GzipBody(Bodies.trickle(bytes, random))) {
            return body.readAllBytes();
        }
    }

    @Test
    void itReadsWhatTheJdkWritesInAnyPieces() throws IOException {
        long seed = new SplittableRandom().nextLong();
        SplittableRandom random = new SplittableRandom(seed);
        for (int round = 0; round < 50; round++) {
            ByteArrayOutputStream members = new ByteArrayOutputStream();
            ByteArrayOutputStream plain = new ByteArrayOutputStream();
            for (int member = 0; member <= random.nextInt(4); member++) {
                byte[] bytes = new byte[random.nextInt(3) == 0 ? 0 : random.nextInt(5_000)];
                random.nextBytes(bytes);
                Arrays.fill(bytes, bytes.length / 2, bytes.length, (byte) 'a');
                plain.write(bytes);
                members.write(gzip(bytes));
            }
            assertThat(unzip(members.toByteArray(), random)).as("seed %d", seed).isEqualTo(plain.toByteArray());
        }
    }

    /// A header with everything that RFC 1952 allows: extra field, name, comment, checksum.
    @Test
    void aHeaderMayHaveAllItsFields() throws IOException {
        byte[] plain = "text".getBytes(StandardCharsets.US_ASCII);
        byte[] bare = gzip(plain);
        ByteArrayOutputStream full = new ByteArrayOutputStream();
        full.writeBytes(new byte[] {0x1f, (byte) 0x8b, 8, 0x1f, 0, 0, 0, 0, 0, 3, 2, 0, 'x', 'y'});
        full.writeBytes("name\0comment\0".getBytes(StandardCharsets.US_ASCII));
        CRC32 crc = new CRC32();
        crc.update(full.toByteArray());
        full.write((int) crc.getValue() & 0xff);
        full.write((int) crc.getValue() >>> 8 & 0xff);
        full.write(bare, 10, bare.length - 10);
        assertThat(new GZIPInputStream(new ByteArrayInputStream(full.toByteArray())).readAllBytes())
                .isEqualTo(plain);
        assertThat(unzip(full.toByteArray(), new SplittableRandom(1))).isEqualTo(plain);
        byte[] broken = full.toByteArray();
        broken[14] ^= 1;
        assertThatThrownBy(() -> unzip(broken, new SplittableRandom(1))).hasMessageContaining("header is broken");
    }

    @Test
    void everyCutAndEveryFlippedBitOfTheChecksumIsFound() throws IOException {
        byte[] good = gzip("some text that is compressed".getBytes(StandardCharsets.US_ASCII));
        for (int length = 0; length < good.length; length++) {
            byte[] cut = Arrays.copyOf(good, length);
            assertThatThrownBy(() -> unzip(cut, new SplittableRandom(1)))
                    .isInstanceOf(IOException.class)
                    .hasMessageNotContaining("null");
        }
        for (int bit = 0; bit < 64; bit++) {
            byte[] bad = good.clone();
            bad[good.length - 1 - bit / 8] ^= (byte) (1 << bit % 8);
            assertThatThrownBy(() -> unzip(bad, new SplittableRandom(1))).hasMessageContaining("checksum");
        }
    }

    @Test
    void whatStandsBehindTheEndIsSaid() throws IOException {
        byte[] good = gzip(new byte[10]);
        for (byte[] garbage : new byte[][] {{0}, {'x'}, new byte[40], {0x1f, 'x'}}) {
            byte[] both = Arrays.copyOf(good, good.length + garbage.length);
            System.arraycopy(garbage, 0, both, good.length, garbage.length);
            assertThatThrownBy(() -> unzip(both, new SplittableRandom(1))).hasMessageContaining("behind its end");
        }
        assertThatThrownBy(() -> unzip("text".getBytes(StandardCharsets.US_ASCII), new SplittableRandom(1)))
                .hasMessageContaining("it is not gzip");
    }
}
