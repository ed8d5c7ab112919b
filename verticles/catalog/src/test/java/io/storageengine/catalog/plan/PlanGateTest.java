package io.storageengine.catalog.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.storageengine.core.Failure;
import io.storageengine.core.FailureException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class PlanGateTest {
    private final PlanGate gate = new PlanGate(new PlanLimits(1, 1, 1, 0, 0, 1, 1, 1, 1));

    @Test
    void whoeverComesWhenAllTurnsAndPlacesAreTakenIsTurnedAwayAtOnce() throws Exception {
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch leave = new CountDownLatch(1);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<String> first = threads.submit(() -> gate.pass(() -> {
                inside.countDown();
                await(leave);
                return "first";
            }));
            inside.await();
            // Of two more, one waits and one finds no place to wait: only when that was told may the first leave.
            Future<Boolean> second = threads.submit(() -> turnedAway(leave));
            Future<Boolean> third = threads.submit(() -> turnedAway(leave));
            assertThat(first.get()).isEqualTo("first");
            assertThat(second.get() ^ third.get()).isTrue();
        }
    }

    private boolean turnedAway(CountDownLatch leave) {
        try {
            return gate.pass(() -> false);
        } catch (FailureException e) {
            assertThat(e.failure().kind()).isEqualTo(Failure.Kind.THROTTLED);
            leave.countDown();
            return true;
        }
    }

    @Test
    void aCallThatFailsGivesItsTurnBack() {
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(() -> gate.pass(() -> {
                        throw new IllegalStateException("no");
                    }))
                    .isInstanceOf(IllegalStateException.class);
        }
        assertThat(gate.<String>pass(() -> "well")).isEqualTo("well");
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
