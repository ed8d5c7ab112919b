package io.storageengine.ingest.wal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.storageengine.core.Failure;
import io.storageengine.core.FailureException;
import io.storageengine.core.message.TableRef;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class SegmentTest {
    private final SplittableRandom random = new SplittableRandom(11);

    private List<Block> blocks() {
        List<Block> blocks = new ArrayList<>();
        TableRef table = new TableRef("dev", List.of("a.b", "ü \"x\""), "täble/1");
        for (int i = 0; i < 20; i++) {
            byte[] bytes = new byte[random.nextInt(2_000)];
            random.nextBytes(bytes);
            Block.Body body = i % 3 == 0
                    ? new Block.Files(List.of("{\"file-path\":\"s3://b/k" + i + "\"}", "{}"))
                    : new Block.Rows(i, ByteBuffer.wrap(bytes));
            Optional<Block.RequestKey> key = i % 2 == 0
                    ? Optional.of(new Block.RequestKey("key \n" + i, "00ff", "{\"accepted\":1}"))
                    : Optional.empty();
            Optional<Block.ChannelPart> part = i % 5 == 0
                    ? Optional.of(new Block.ChannelPart("kanal \"" + i, 2, i, 3L * i + 7, 4, 2))
                    : Optional.empty();
            blocks.add(new Block(table, "uuid-" + i, i, 1_000L + i, body, key, part));
        }
        return blocks;
    }

    @Test
    void whatIsWrittenIsRead() {
        List<Block> blocks = blocks();
        assertThat(Segment.read(Segment.write(blocks))).isEqualTo(blocks);
        assertThat(Segment.read(Segment.write(List.of()))).isEmpty();
    }

    @Test
    void anyChangedBitIsNoticed() {
        ByteBuffer whole = Segment.write(blocks());
        for (int i = 0; i < 2_000; i++) {
            ByteBuffer changed = ByteBuffer.allocate(whole.remaining());
            changed.put(whole.duplicate()).flip();
            int at = random.nextInt(changed.limit());
            changed.put(at, (byte) (changed.get(at) ^ (1 << random.nextInt(8))));
            assertCorrupt(changed);
        }
    }

    @Test
    void anyCutIsNoticed() {
        ByteBuffer whole = Segment.write(blocks());
        for (int i = 0; i < 500; i++) assertCorrupt(whole.slice(0, random.nextInt(whole.limit())));
        assertCorrupt(ByteBuffer.allocate(0));
        assertCorrupt(ByteBuffer.allocate(100));
    }

    private static void assertCorrupt(ByteBuffer bytes) {
        assertThatThrownBy(() -> Segment.read(bytes))
                .isInstanceOfSatisfying(
                        FailureException.class,
                        failed -> assertThat(failed.failure().kind()).isEqualTo(Failure.Kind.CORRUPT));
    }

    @Test
    void theTokenIsTheAnswersLastField() {
        assertThat(Block.withToken("{\"accepted\":1}", "log.7")).isEqualTo("{\"accepted\":1,\"token\":\"log.7\"}");
    }
}
