package io.storageengine.ingest.wal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LingerTest {
    @Test
    void fewEntriesGatherBriefly() {
        Linger linger = new Linger(5, 250, 20, 40, 0);
        for (long now = 0; now < 100_000; now += 60)
            assertThat(linger.nextMillis(now)).isEqualTo(5);
    }

    @Test
    void underLoadTheRateSettlesAtItsCeiling() {
        Linger linger = new Linger(5, 250, 20, 40, 0);
        long now = 0;
        int entries = 0;
        for (; now < 60_000; entries++) now += linger.nextMillis(now) + 1;
        assertThat(entries).isBetween(60 * 20, 60 * 20 + 80);
    }

    @Test
    void noEntryGathersLongerThanTheMost() {
        Linger linger = new Linger(0, 250, 1, 1, 0);
        for (int i = 0; i < 100; i++) assertThat(linger.nextMillis(i)).isBetween(0L, 250L);
    }

    @Test
    void afterARestTheBurstIsBack() {
        Linger linger = new Linger(5, 250, 20, 40, 0);
        for (int i = 0; i < 200; i++) linger.nextMillis(0);
        assertThat(linger.nextMillis(0)).isEqualTo(250);
        assertThat(linger.nextMillis(10_000)).isEqualTo(5);
    }
}
