package io.rollcall.sweep;

import static io.rollcall.testing.TestApi.body;
import static io.rollcall.testing.TestApi.direct;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quarkus.test.junit.QuarkusTest;
import io.rollcall.delegation.GateVerdict;
import io.rollcall.gate.GateAnswer;
import io.rollcall.testing.GateServer;
import io.rollcall.testing.TestDelegation;
import io.rollcall.testing.TestParallel;
import io.rollcall.testing.TestSql;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Rule 4 where a gate has the last word; the gate is a real one, over HTTP. */
@QuarkusTest
class FinalizationGateTest {
    private static final Duration PAST_GRACE = Duration.ofMinutes(6);

    private final GateServer gate = new GateServer();

    @Inject
    Sweeper sweeper;

    @Inject
    SweepBatch batches;

    @BeforeEach
    void startAfresh() {
        Rows.startAfresh();
    }

    @AfterEach
    void close() {
        gate.close();
    }

    @Test
    void anAbandonedSuccessCountsIfItsGateLetsItPass() {
        TestDelegation work = abandoned(0);

        SweepReport sweep = sweep();

        assertEquals(1, sweep.verdicts().get(VerdictName.COMPLETED));
        assertEquals(0, sweep.conflicts());
        assertEquals("completed", work.status());
        assertEquals(1, gate.asked().size());
    }

    @Test
    void anAbandonedSuccessThatItsGateRejectsGoesByItsRecovery() {
        gate.rejects("not pushed");
        TestDelegation work = abandoned(0);

        sweep();

        assertEquals("gate_rejected", work.read().getString("reason"));
        assertEquals("not pushed", work.read().getString("error.message"));
    }

    @Test
    void anAbandonedFailureNeedsNoGate() {
        TestDelegation work = abandoned(1);

        sweep();

        assertEquals("finalization_timeout", work.read().getString("reason"));
        assertEquals(0, gate.asked().size());
    }

    @Test
    void withinTheGraceTheGateIsNotAsked() {
        TestDelegation work = register();
        work.outcome(0).then().statusCode(200);

        sweep();

        assertEquals("in_progress", work.status());
        assertEquals(0, gate.asked().size());
    }

    @Test
    void whileTheGateIsAwayNothingElseEndsItAndEachTickAsksAgain() {
        gate.answers(503, "");
        TestDelegation work = abandoned(0);

        for (int tick = 1; tick <= 3; tick++) {
            SweepReport sweep = sweep();
            assertEquals(0, sweep.conflicts(), "waiting is no conflict");
            assertEquals("in_progress", work.status());
            assertEquals(2 * tick, gate.asked().size(), "each tick asks, and once more a moment later");
        }
        gate.passes(true);
        sweep();
        assertEquals("completed", work.status());
    }

    @Test
    void aSlowGateKeepsNoOtherVerdictWaiting() throws Exception {
        // given one that waits for a gate which thinks, one past its deadline, and one that fell silent
        gate.hold();
        TestDelegation gated = abandoned(0);
        List<UUID> others = Rows.running(2);
        Rows.passDeadline(others.subList(0, 1));
        Rows.fallSilent(others.subList(1, 2));

        // when a sweep is under way
        Future<SweepReport> sweep = TestParallel.begin(this::sweep);
        Awaitility.await().until(() -> gate.asked().size() == 1);

        // then the others have their verdicts already
        assertEquals("failed", Rows.status(others.get(0)));
        assertEquals("stuck", Rows.status(others.get(1)));
        gate.release();
        assertEquals(1, sweep.get(30, TimeUnit.SECONDS).verdicts().get(VerdictName.COMPLETED));
        assertEquals("completed", gated.status());
    }

    @Test
    void manyAreAskedAboutSideBySide() throws Exception {
        gate.hold();
        List<TestDelegation> works = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            works.add(abandoned(0));
        }

        Future<SweepReport> sweep = TestParallel.begin(this::sweep);
        Awaitility.await().until(() -> gate.asked().size() == 8);
        gate.release();

        assertEquals(8, sweep.get(30, TimeUnit.SECONDS).verdicts().get(VerdictName.COMPLETED));
    }

    @Test
    void aDryRunAsksAndSettlesNothing() {
        TestDelegation work = abandoned(0);

        SweepReport dry = sweeper.sweep("operator", true, false);

        assertEquals(1, dry.verdicts().get(VerdictName.COMPLETED));
        assertEquals("in_progress", work.status());
    }

    @Test
    void twoReplicasThatBothHaveAGreenLightGiveOneCompletion() throws Exception {
        // given two that have asked the gate about the same one; the first holds its row and waits for its lease
        TestDelegation work = abandoned(0);
        Map<UUID, GateAnswer> green = Map.of(work.id(), answer(work, true));
        try (TestSql.Held lease = TestSql.holdLease(work.id())) {
            Future<SweepTally> first = TestParallel.begin(() -> batches.sweep(List.of(work.id()), false, green));
            lease.awaitBlocked(1);

            // when the second comes meanwhile; then it does nothing
            assertEquals(1, batches.sweep(List.of(work.id()), false, green).conflicts());
            lease.close();
            assertEquals(1, first.get(30, TimeUnit.SECONDS).verdicts().get(VerdictName.COMPLETED));
        }
        // nor does it afterwards
        assertEquals(1, batches.sweep(List.of(work.id()), false, green).conflicts());
        assertEquals("completed", work.status());
    }

    @Test
    void anAnswerAboutWhatHasChangedSinceDoesNotCount() {
        TestDelegation work = abandoned(0);
        Map<UUID, GateAnswer> red = Map.of(work.id(), answer(work, false));
        work.edit("priority", 9).then().statusCode(200);

        SweepTally batch = batches.sweep(List.of(work.id()), false, red);

        assertEquals(1, batch.conflicts());
        assertEquals("in_progress", work.status());
    }

    @Test
    void aReportThatCommitsWhileTheGateThinksWins() throws Exception {
        gate.hold();
        TestDelegation work = abandoned(0);
        Future<SweepReport> sweep = TestParallel.begin(this::sweep);
        Awaitility.await().until(() -> gate.asked().size() == 1);

        work.report("failed", "epoch", 1).then().statusCode(200);
        gate.release();

        assertEquals(1, sweep.get(30, TimeUnit.SECONDS).conflicts());
        assertEquals("failed", work.status());
        assertTrue(work.events("transition").stream().noneMatch(event -> "completed".equals(event.get("to"))));
    }

    private SweepReport sweep() {
        return sweeper.sweep("tick", false, false);
    }

    private TestDelegation register() {
        return direct().with("gate", body("url", gate.url())).register().begun();
    }

    private TestDelegation abandoned(int exitCode) {
        TestDelegation work = register();
        work.outcome(exitCode).then().statusCode(200);
        TestSql.leaveUnfinalized(work.id(), PAST_GRACE);
        return work;
    }

    private static GateAnswer answer(TestDelegation work, boolean passed) {
        return new GateAnswer(work.id(), work.read().getLong("version"), new GateVerdict(passed, null));
    }
}
