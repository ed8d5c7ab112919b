package io.storageengine.ingest.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.storageengine.ingest.table.BatchMachine.Step;
import org.junit.jupiter.api.Test;

class BatchMachineTest {
    private static final Pace PACE = new Pace(1_000, 100);
    private final BatchMachine machine = new BatchMachine(10);

    @Test
    void withoutRowsThereIsNothingToDo() {
        machine.hasten(5);
        machine.drain();
        assertThat(machine.next(5)).isEqualTo(new Step.Rest());
    }

    @Test
    void rowsWaitForTheIntervalSinceTheFirstOfThem() {
        machine.added(0, 10, PACE);
        machine.added(900, 10, PACE);
        assertThat(machine.next(999)).isEqualTo(new Step.Wait(1_000));
        assertThat(machine.next(1_000)).isEqualTo(new Step.Take());
    }

    @Test
    void manyRowsWaitForNothing() {
        machine.added(0, 60, PACE);
        assertThat(machine.next(1)).isEqualTo(new Step.Wait(1_000));
        machine.added(1, 60, PACE);
        assertThat(machine.next(1)).isEqualTo(new Step.Take());
    }

    @Test
    void whoWaitsForTheCommitHastensIt() {
        machine.added(0, 10, PACE);
        machine.hasten(100);
        assertThat(machine.next(100)).isEqualTo(new Step.Wait(110));
        machine.hasten(105);
        assertThat(machine.next(109)).as("later ones put nothing off").isEqualTo(new Step.Wait(110));
        assertThat(machine.next(110)).isEqualTo(new Step.Take());
    }

    @Test
    void whatComesDuringACommitIsTheNextBatch() {
        machine.added(0, 200, PACE);
        machine.taken();
        machine.added(50, 10, PACE);
        machine.committed();
        assertThat(machine.next(60)).isEqualTo(new Step.Wait(1_050));
    }

    @Test
    void aFailedBatchIsTriedAgainBeforeAnotherIsTaken() {
        machine.added(0, 200, PACE);
        machine.taken();
        machine.added(50, 500, PACE);
        machine.failed(300);
        assertThat(machine.next(100)).isEqualTo(new Step.Wait(300));
        assertThat(machine.next(300)).isEqualTo(new Step.Retry());
        machine.committed();
        assertThat(machine.next(300)).isEqualTo(new Step.Take());
    }

    @Test
    void drainingWaitsForNothingButAFailedBatchsTime() {
        machine.added(0, 10, PACE);
        machine.drain();
        assertThat(machine.next(0)).isEqualTo(new Step.Take());
        machine.taken();
        machine.failed(50);
        assertThat(machine.next(0)).isEqualTo(new Step.Wait(50));
    }

    @Test
    void theTablesPropertiesSetThePace() {
        Pace pace = PACE.of(java.util.Map.of(Pace.INTERVAL_MS, "250", Pace.BYTES, "nonsense"));
        assertThat(pace).isEqualTo(new Pace(250, 100));
        assertThat(PACE.of(java.util.Map.of(Pace.INTERVAL_MS, "-4", Pace.BYTES, "0")))
                .isEqualTo(new Pace(0, 1));
    }
}
