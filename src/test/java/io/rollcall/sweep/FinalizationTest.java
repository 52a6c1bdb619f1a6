package io.rollcall.sweep;

import static io.rollcall.testing.TestApi.claim;
import static io.rollcall.testing.TestApi.direct;
import static io.rollcall.testing.TestApi.queued;
import static io.rollcall.testing.TestApi.time;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quarkus.test.junit.QuarkusTest;
import io.restassured.path.json.JsonPath;
import io.rollcall.testing.TestDelegation;
import io.rollcall.testing.TestParallel;
import io.rollcall.testing.TestSql;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Rule 4 on the whole way: runs that have ended, and whose finalization goes on, or does not. */
@QuarkusTest
class FinalizationTest {
    private static final Duration WITHIN_GRACE = Duration.ofMinutes(4);
    private static final Duration PAST_GRACE = Duration.ofMinutes(5).plusSeconds(1);

    @Inject
    Sweeper sweeper;

    @Inject
    SweepBatch batches;

    @BeforeEach
    void startAfresh() {
        Rows.startAfresh();
    }

    @Test
    void aLivingFinalizationIsNotReaped() {
        // given one that lasts too long already, with a short lease, whose run has ended
        TestDelegation work = direct().with("maxRunning", "PT1M")
                .with("heartbeatTimeout", "PT1S")
                .register()
                .begun();
        work.outcome(0).then().statusCode(200);
        TestSql.execute("update lease set acquired_at = now() - interval '1 hour' where delegation_id = ?", work.id());

        // when it finalizes in silence, for less than the grace: its lease is stale by far
        TestSql.leaveUnfinalized(work.id(), WITHIN_GRACE);
        SweepReport sweep = sweep();

        // then nobody touches it
        assertEquals("in_progress", work.status());
        assertEquals(0, sweep.conflicts(), "it is not even looked at");
        assertEquals(0, sweep.heldBack());

        // and a beat gives it the whole grace again
        TestSql.leaveUnfinalized(work.id(), PAST_GRACE);
        work.beat().then().statusCode(200);
        sweep();
        assertEquals("in_progress", work.status());
    }

    @Test
    void aDeadOneThatSucceededCounts() {
        TestDelegation work = finalizing(direct().register().begun(), 0);

        SweepReport sweep = sweep();

        JsonPath read = work.read();
        assertEquals("completed", read.getString("status"));
        assertEquals("agent_reported", read.getString("reason"));
        assertEquals(0, read.getInt("outcome.exitCode"));
        assertNull(read.get("lease"));
        assertEquals(1, sweep.verdicts().get(VerdictName.COMPLETED));
        List<Map<String, Object>> events = work.events();
        Map<String, Object> end = events.get(events.size() - 1);
        assertEquals("finalization", end.get("rule"));
        assertEquals("sweeper", end.get("actor"));
        assertTrue(end.get("data").toString().contains("exitCode=0"), end::toString);
    }

    @Test
    void aDeadOneThatFailedIsSettledByItsRecovery() {
        TestDelegation none = finalizing(direct().register().begun(), 1);
        TestDelegation requeue = queued().register();
        claim(requeue.read().getString("queue"), "one");
        requeue.outcome(137, "epoch", 1, "note", "killed").then().statusCode(200);
        TestSql.leaveUnfinalized(requeue.id(), PAST_GRACE);

        sweep();

        assertEquals("failed", none.status());
        assertEquals("finalization_timeout", none.read().getString("reason"));
        JsonPath again = requeue.read();
        assertEquals("queued", again.getString("status"));
        assertEquals("finalization_timeout", again.getString("cause"));
        assertEquals(1, again.getInt("requeueCount"));
        Duration pause = Duration.between(time(again, "updatedAt"), time(again, "availableAt"));
        assertTrue(pause.compareTo(Duration.ofSeconds(30)) >= 0, () -> "backs off: " + pause);
        assertNull(again.get("outcome"));
        TestSql.execute("update delegation set available_at = now() where id = ?", requeue.id());
        assertEquals(137, claim(again.getString("queue"), "two").getInt("items[0].previous.outcome.exitCode"));
    }

    @Test
    void oneThatIsStuckIsSettledTooAndNeverPutBack() {
        TestDelegation succeeded = direct().register().begun();
        TestDelegation failed = direct().with("recovery", "requeue").register();
        failed.beat("epoch", 1).then().statusCode(200);
        for (TestDelegation work : List.of(succeeded, failed)) {
            TestSql.execute("update delegation set status = 'stuck', reason = 'operator' where id = ?", work.id());
            TestSql.execute("update lease set stuck = true where delegation_id = ?", work.id());
        }
        finalizing(succeeded, 0);
        failed.outcome(1, "epoch", 1).then().statusCode(200);
        TestSql.leaveUnfinalized(failed.id(), PAST_GRACE);

        sweep();

        assertEquals("completed", succeeded.status());
        assertEquals("failed", failed.status());
    }

    @Test
    void oneThatWasCalledOffIsCancelled() {
        TestDelegation work = direct().register().begun();
        work.cancel().then().statusCode(202);
        finalizing(work, 0);

        sweep();

        assertEquals("cancelled", work.status());
    }

    @Test
    void theSilenceOfThoseThatFinalizeDoesNotBrake() {
        // given more than the brake asks for that finalize in silence, and a few that beat
        List<UUID> ids = Rows.running(25);
        for (UUID id : ids) {
            new TestDelegation(id).outcome(0).then().statusCode(200);
            TestSql.leaveUnfinalized(id, WITHIN_GRACE);
        }
        Rows.execute("update lease set stale_at = now() - interval '1 minute' where delegation_id = any(?)", ids);
        Rows.running(3);

        SweepReport sweep = sweep();

        assertFalse(sweep.braked());
        assertEquals(25, Rows.inStatus(ids, "in_progress"));
    }

    @Test
    void whileNobodyCouldBeHeardNothingIsSettled() {
        TestDelegation work = finalizing(direct().register().begun(), 0);
        TestSql.execute("update beat_acceptance set noted_at = now() - interval '6 seconds'");

        sweep();
        assertEquals("in_progress", work.status());
        assertEquals(
                1, batches.sweep(List.of(work.id()), false, Map.of()).heldBack(), "nor by a batch that froze half-way");

        // and after our return it has the whole grace again
        TestSql.execute("update beat_acceptance set noted_at = now(), returned_at = now() - interval '4 minutes'");
        sweep();
        assertEquals("in_progress", work.status());
        TestSql.execute("update beat_acceptance set noted_at = now(), returned_at = now() - interval '6 minutes'");
        sweep();
        assertEquals("completed", work.status());
    }

    @Test
    void aBeatThatCommitsWhileTheSweepWaitsForTheLeaseWins() throws Exception {
        TestDelegation work = finalizing(direct().register().begun(), 0);
        try (TestSql.Held beat =
                new TestSql.Held("update lease set last_beat_at = now() where delegation_id = ?", work.id())) {
            Future<SweepReport> sweep = TestParallel.begin(this::sweep);
            beat.awaitBlocked(1);

            beat.commit();

            assertEquals(1, sweep.get(30, TimeUnit.SECONDS).conflicts());
        }
        assertEquals("in_progress", work.status());
    }

    @Test
    void twoReplicasGiveOneCompletion() throws Exception {
        // given two batches that have both found the same one; the first holds its row and waits for its lease
        TestDelegation work = finalizing(direct().register().begun(), 0);
        try (TestSql.Held lease = TestSql.holdLease(work.id())) {
            Future<SweepTally> first = TestParallel.begin(() -> batches.sweep(List.of(work.id()), false, Map.of()));
            lease.awaitBlocked(1);

            // when the second comes meanwhile; then it leaves the row alone
            SweepTally second = batches.sweep(List.of(work.id()), false, Map.of());
            assertEquals(1, second.conflicts());

            lease.close();
            assertEquals(1, first.get(30, TimeUnit.SECONDS).verdicts().get(VerdictName.COMPLETED));
        }
        assertEquals(1, batches.sweep(List.of(work.id()), false, Map.of()).conflicts());
        assertEquals(
                1,
                work.events("transition").stream()
                        .filter(event -> "completed".equals(event.get("to")))
                        .count());
    }

    @Test
    void twoReplicasAddOneSetOfFollowUps() throws Exception {
        // given one with two follow-ups that carry its result, found by two replicas
        TestDelegation work = finalizing(
                direct().with(
                                "onCompleted",
                                List.of(Map.of("task", "a", "passResult", true), Map.of("task", "b", "agent", "next")))
                        .register()
                        .begun(),
                0);
        try (TestSql.Held lease = TestSql.holdLease(work.id())) {
            Future<SweepTally> first = TestParallel.begin(() -> batches.sweep(List.of(work.id()), false, Map.of()));
            lease.awaitBlocked(1);
            Future<SweepTally> second = TestParallel.begin(() -> batches.sweep(List.of(work.id()), false, Map.of()));
            assertEquals(1, second.get(30, TimeUnit.SECONDS).conflicts());
            lease.close();
            assertEquals(1, first.get(30, TimeUnit.SECONDS).verdicts().get(VerdictName.COMPLETED));
        }
        sweep();

        assertEquals("completed", work.status());
        assertEquals(2, TestSql.count("select count(*) from delegation where parent_id = ?", work.id()));
    }

    @Test
    void aReportAndAReplicaAtOneMomentAddOneSetOfFollowUps() throws Exception {
        // given an agent that comes back just as its finalization is given up: its report waits behind the sweep
        TestDelegation work = finalizing(
                direct().with("onCompleted", List.of(Map.of("task", "a")))
                        .register()
                        .begun(),
                0);
        Future<SweepTally> sweep;
        Future<Integer> report;
        try (TestSql.Held lease = TestSql.holdLease(work.id())) {
            sweep = TestParallel.begin(() -> batches.sweep(List.of(work.id()), false, Map.of()));
            lease.awaitBlocked(1);
            report = TestParallel.begin(
                    () -> work.report("completed", "epoch", 1).statusCode());
            lease.awaitBlocked(2);
        }

        assertEquals(1, sweep.get(30, TimeUnit.SECONDS).verdicts().get(VerdictName.COMPLETED));
        assertEquals(409, report.get(30, TimeUnit.SECONDS));
        assertEquals(1, TestSql.count("select count(*) from delegation where parent_id = ?", work.id()));
    }

    private SweepReport sweep() {
        return sweeper.sweep("tick", false, false);
    }

    private static TestDelegation finalizing(TestDelegation work, int exitCode) {
        work.outcome(exitCode).then().statusCode(200);
        TestSql.leaveUnfinalized(work.id(), PAST_GRACE);
        return work;
    }
}
