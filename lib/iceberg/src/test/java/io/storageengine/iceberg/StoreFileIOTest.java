package io.storageengine.iceberg;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.storageengine.core.FailureException;
import io.storageengine.core.Ids;
import io.storageengine.core.message.CatalogStorage;
import io.storageengine.core.store.ListRequest;
import io.storageengine.store.memory.MemoryBuckets;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.apache.iceberg.exceptions.AlreadyExistsException;
import org.apache.iceberg.exceptions.NotFoundException;
import org.apache.iceberg.io.BulkDeletionFailureException;
import org.apache.iceberg.io.InputFile;
import org.apache.iceberg.io.OutputFile;
import org.apache.iceberg.io.PositionOutputStream;
import org.apache.iceberg.io.RangeReadable;
import org.apache.iceberg.io.SeekableInputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What Iceberg's code relies on in a FileIO.
class StoreFileIOTest {
    private final MemoryBuckets buckets = new MemoryBuckets(new TestClock(), new Ids(new SplittableRandom(1)));
    private final StoreFileIO io = new StoreFileIO(buckets);

    @BeforeEach
    void makeBuckets() {
        buckets.create("one").orThrow();
        buckets.create("two").orThrow();
    }

    @Test
    void aFileIsThereWholeOnceItsStreamWasClosed() throws IOException {
        OutputFile file = io.newOutputFile("s3://one/a/b c%20d.txt");
        try (PositionOutputStream out = file.create()) {
            out.write("hello".getBytes(UTF_8));
            assertThat(out.getPos()).isEqualTo(5);
            assertThat(io.newInputFile(file.location()).exists()).isFalse();
        }
        assertThat(read(file.toInputFile())).isEqualTo("hello".getBytes(UTF_8));
        assertThat(file.toInputFile().getLength()).isEqualTo(5);
        assertThat(buckets.bucket("one").head("a/b c%20d.txt").isOk()).isTrue();
    }

    @Test
    void createNeverReplacesAndCreateOrOverwriteDoes() throws IOException {
        write("s3://one/x", "first".getBytes(UTF_8));
        PositionOutputStream second = io.newOutputFile("s3://one/x").create();
        second.write(1);
        assertThatThrownBy(second::close).isInstanceOf(AlreadyExistsException.class);
        try (OutputStream third = io.newOutputFile("s3://one/x").createOrOverwrite()) {
            third.write("third".getBytes(UTF_8));
        }
        assertThat(read(io.newInputFile("s3://one/x"))).isEqualTo("third".getBytes(UTF_8));
    }

    @Test
    void anEmptyFileIsAFile() throws IOException {
        write("s3://one/empty", new byte[0]);
        assertThat(read(io.newInputFile("s3://one/empty"))).isEmpty();
        assertThat(io.newInputFile("s3://one/empty").getLength()).isZero();
    }

    @Test
    void aLongFileGoesInPartsAndComesBackTheSame() throws IOException {
        byte[] block = new byte[3 * 1024 * 1024 + 7];
        new SplittableRandom(7).nextBytes(block);
        int blocks = 2 * StoreOutputStream.PART_BYTES / block.length + 2;
        try (PositionOutputStream out = io.newOutputFile("s3://one/long").create()) {
            for (int i = 0; i < blocks; i++) out.write(block);
            assertThat(out.getPos()).isEqualTo((long) blocks * block.length);
        }
        try (InputStream in = io.newInputFile("s3://one/long").newStream()) {
            for (int i = 0; i < blocks; i++)
                assertThat(in.readNBytes(block.length)).isEqualTo(block);
            assertThat(in.read()).isEqualTo(-1);
        }
        assertThat(buckets.bucket("one").listUploads("", "", "", 10).orThrow()).isEmpty();
    }

    @Test
    void aLongFileNeverReplacesEither() throws IOException {
        write("s3://one/long", "short".getBytes(UTF_8));
        PositionOutputStream out = io.newOutputFile("s3://one/long").create();
        out.write(new byte[StoreOutputStream.PART_BYTES + 1]);
        assertThatThrownBy(out::close).isInstanceOf(AlreadyExistsException.class);
        assertThat(read(io.newInputFile("s3://one/long"))).isEqualTo("short".getBytes(UTF_8));
    }

    @Test
    void readsSeekBackAndForth() throws IOException {
        byte[] bytes = new byte[1_000_000];
        new SplittableRandom(3).nextBytes(bytes);
        write("s3://one/seek", bytes);
        SplittableRandom random = new SplittableRandom(5);
        try (SeekableInputStream in =
                io.newInputFile("s3://one/seek", bytes.length).newStream()) {
            for (int i = 0; i < 200; i++) {
                int at = random.nextInt(bytes.length + 1);
                int count = Math.min(random.nextInt(5_000), bytes.length - at);
                in.seek(at);
                assertThat(in.readNBytes(count)).isEqualTo(java.util.Arrays.copyOfRange(bytes, at, at + count));
                assertThat(in.getPos()).isEqualTo(at + count);
            }
            in.seek(bytes.length);
            assertThat(in.read()).isEqualTo(-1);
        }
    }

    @Test
    void rangesAreReadWithoutMovingTheStream() throws IOException {
        write("s3://one/range", "0123456789".getBytes(UTF_8));
        try (SeekableInputStream in = io.newInputFile("s3://one/range").newStream()) {
            byte[] three = new byte[3];
            ((RangeReadable) in).readFully(4, three);
            assertThat(new String(three, UTF_8)).isEqualTo("456");
            assertThat(((RangeReadable) in).readTail(three)).isEqualTo(3);
            assertThat(new String(three, UTF_8)).isEqualTo("789");
            assertThat(in.getPos()).isZero();
            assertThatThrownBy(() -> ((RangeReadable) in).readFully(8, three)).isInstanceOf(EOFException.class);
        }
    }

    @Test
    void whatIsNotThereIsNotFound() {
        InputFile missing = io.newInputFile("s3://one/missing");
        assertThat(missing.exists()).isFalse();
        assertThatThrownBy(missing::getLength).isInstanceOf(NotFoundException.class);
        assertThatThrownBy(() -> missing.newStream().read())
                .isInstanceOf(IOException.class)
                .hasCauseInstanceOf(NotFoundException.class);
        io.deleteFile("s3://one/missing");
    }

    @Test
    void filesOfSeveralBucketsAreDeletedTogether() throws IOException {
        write("s3://one/a", new byte[1]);
        write("s3a://two/a", new byte[1]);
        write("s3://two/b", new byte[1]);
        io.deleteFiles(List.of("s3://one/a", "s3://two/a", "s3://one/none"));
        assertThat(buckets.bucket("one").list(ListRequest.of("")).orThrow().objects())
                .isEmpty();
        assertThat(buckets.bucket("two").list(ListRequest.of("")).orThrow().objects())
                .hasSize(1);
    }

    @Test
    void aMissingBucketFailsTheDeletionAloud() {
        assertThatThrownBy(() -> io.deleteFiles(List.of("s3://three/a")))
                .isInstanceOfAny(NotFoundException.class, BulkDeletionFailureException.class, FailureException.class);
    }

    @Test
    void otherSchemesAreRefused() {
        for (String location : List.of("file:/tmp/x", "/tmp/x", "s3://bucket", "gs://b/k", "s3:///k"))
            assertThatThrownBy(() -> io.newInputFile(location)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void nativeCatalogsUseOurOwnStorage() {
        assertThat(new TableFiles(buckets).open(new CatalogStorage(true, Map.of()), Map.of()))
                .isInstanceOf(StoreFileIO.class);
    }

    private void write(String location, byte[] bytes) throws IOException {
        try (OutputStream out = io.newOutputFile(location).create()) {
            out.write(bytes);
        }
    }

    private static byte[] read(InputFile file) throws IOException {
        try (InputStream in = file.newStream()) {
            return in.readAllBytes();
        }
    }
}
