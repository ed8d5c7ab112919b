package io.storageengine.gateway.s3;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ChecksumKindTest {
    @ParameterizedTest
    @CsvSource({
        "CRC32,cbf43926",
        "CRC32C,e3069283",
        "CRC64NVME,ae8b14860a799888",
        "SHA1,f7c3bc1d808e04732adf679965ccc34ca7ae3441",
        "SHA256,15e2b0d3c33891ebb0f1ef609ec419420c20e320ce94c65fbc8c3312448eb225"
    })
    void theCheckValueOfEachIsThePublishedOne(ChecksumKind kind, String hex) {
        ChecksumKind.Running running = kind.start();
        running.update("123456789".getBytes(StandardCharsets.US_ASCII), 0, 9);
        assertThat(HexFormat.of().formatHex(running.value())).isEqualTo(hex);
    }

    @Test
    void crc64TakesBytesInAnyPortions() {
        long seed = 7;
        Random random = new Random(seed);
        byte[] bytes = new byte[1_000];
        random.nextBytes(bytes);
        Crc64Nvme byteByByte = new Crc64Nvme();
        for (byte b : bytes) byteByByte.update(b);
        for (int portion = 1; portion < 40; portion++) {
            Crc64Nvme portions = new Crc64Nvme();
            for (int i = 0; i < bytes.length; i += portion) {
                portions.update(bytes, i, Math.min(portion, bytes.length - i));
            }
            assertThat(portions.getValue())
                    .as("seed %s portion %s", seed, portion)
                    .isEqualTo(byteByByte.getValue());
        }
    }

    @Test
    void aValueOfAnotherLengthIsNone() {
        assertThat(ChecksumKind.CRC32.parse("AAAAAA==")).contains("00000000");
        assertThat(ChecksumKind.CRC32.parse("AAAA")).isEmpty();
        assertThat(ChecksumKind.CRC32.parse("!")).isEmpty();
    }
}
