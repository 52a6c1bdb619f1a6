package io.rollcall.sweep;

import static io.rollcall.testing.TestApi.expectProblem;
import static io.rollcall.testing.TestApi.time;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quarkus.test.junit.QuarkusTest;
import io.rollcall.resource.ResourceReclaims;
import io.rollcall.testing.TestApi;
import io.rollcall.testing.TestDelegation;
import io.rollcall.testing.TestLease;
import io.rollcall.testing.TestParallel;
import io.rollcall.testing.TestSql;
import jakarta.inject.Inject;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Named leases that are free leave with the next tick; a live holder within its time is never touched. */
@QuarkusTest
class ResourceSweepTest {
    @Inject
    Sweeper sweeper;

    @Inject
    SweepSchedule schedule;

    @Inject
    ResourceReclaims reclaims;

    @Inject
    SweepPulse pulse;

    private final TestLease lock = TestLease.unique();

    @BeforeEach
    @AfterEach
    void startAfresh() {
        Rows.startAfresh();
    }

    @Test
    void aTickReclaimsWhatIsOverAndNothingElse() {
        long epoch = lock.acquire("a");
        TestLease over = TestLease.unique();
        over.acquire("a");
        over.expired();

        schedule.tick();

        assertFalse(over.hasRow());
        lock.renew("a", epoch).then().statusCode(200);
        assertEquals(1, TestApi.get("/v1/sweeper", "limit", 1).jsonPath().getInt("reports[0].verdicts.reclaimed"));
        assertEquals(0, reclaimed(sweep()));
    }

    @Test
    void isFreeWithinTheSweepThatEndsItsDelegation() {
        // given one whose attempt is overdue, and which is held for hours still
        UUID id = Rows.running(1).get(0);
        lock.acquire("a", "ttl", "PT5H", "delegationId", id);
        Rows.passDeadline(List.of(id));
        assertTrue(lock.hasRow());

        SweepReport report = sweep();

        assertEquals("failed", Rows.status(id));
        assertEquals(1, reclaimed(report));
        assertFalse(lock.hasRow());
        lock.acquire("b");
    }

    @Test
    void isFreeWithinOneSweepOfACompletion() {
        TestDelegation work = TestApi.direct().register().begun();
        lock.acquire("a", "delegationId", work.id());
        work.report("completed", "epoch", 1).then().statusCode(200);

        assertEquals(1, reclaimed(sweep()));
        assertFalse(lock.hasRow());
    }

    @Test
    void isReclaimedWhenItsHolderWasProbedDead() {
        lock.acquire("a", "probe", Map.of("kind", "kubernetes", "namespace", "n", "pod", "p", "uid", "u"));
        TestSql.execute("update resource_lease set dead_answers = 2, dead_counted_at = now()");
        assertEquals(0, reclaimed(sweep()));
        TestSql.execute("update resource_lease set dead_answers = 3");

        assertEquals(1, reclaimed(sweep()));
    }

    @Test
    void whileWeAreAwayTimeStandsStill() {
        // given one that expired while nobody could renew
        long epoch = lock.acquire("a");
        lock.expiredFor("30 minutes");
        Rows.execute("update beat_acceptance set noted_at = now() - interval '1 hour'");

        // then it is held, by every answer, and for a full time from now
        assertEquals(0, reclaimed(sweep()));
        var refused = expectProblem(lock.ask("b"), 409, "lease-held").extract().jsonPath();
        assertTrue(time(refused, "expiresAt")
                .isAfter(TestSql.value(Instant.class, "select now()").plus(Duration.ofMinutes(9))));

        // when we are back
        Rows.execute("update beat_acceptance set noted_at = now() + interval '1 minute', returned_at = now()");

        // then its time counts from there
        assertEquals(0, reclaimed(sweep()));
        assertEquals(
                TestSql.value(Instant.class, "select returned_at + interval '10 minutes' from beat_acceptance"),
                time(lock.get().jsonPath(), "expiresAt"));
        lock.renew("a", epoch).then().statusCode(200);

        // and it is over in its turn
        lock.expiredFor("30 minutes");
        Rows.execute("update beat_acceptance set returned_at = now() - interval '10 minutes 1 second'");
        assertEquals(1, reclaimed(sweep()));
    }

    @Test
    void anEndedAttemptFreesItAlsoWhileWeAreAway() {
        TestDelegation work = TestApi.direct().register().begun();
        lock.acquire("a", "delegationId", work.id());
        work.report("completed", "epoch", 1).then().statusCode(200);
        Rows.execute("update beat_acceptance set noted_at = now() - interval '1 hour'");

        assertEquals(1, reclaimed(sweep()));
    }

    @Test
    void aDryRunOnlyCounts() {
        lock.acquire("a");
        lock.expired();

        assertEquals(1, reclaimed(sweeper.sweep("operator", true, false)));

        assertTrue(lock.hasRow());
    }

    @Test
    void oneThatSomebodyElseIsChangingIsLeftToTheNextSweep() {
        TestLease other = TestLease.unique();
        lock.acquire("a");
        lock.expired();
        other.acquire("a");
        other.expired();
        try (TestSql.Held row = lock.holdRow()) {
            SweepReport report = sweep();
            assertEquals(1, reclaimed(report));
            assertEquals(1, report.conflicts());
            assertEquals(0, report.errors());
            row.close();
        }
        assertEquals(1, reclaimed(sweep()));
    }

    @Test
    void manySweepersReclaimEachOnce() {
        List<TestLease> all = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            TestLease lease = TestLease.unique();
            lease.acquire("a");
            all.add(lease);
        }
        TestSql.execute("update resource_lease set expires_at = now() - interval '1 second'");

        List<Integer> reclaimed = TestParallel.times(
                3,
                number -> new ResourceSweep(
                                reclaims, Rules.config(Map.of("rollcall.sweeper.batch-size", "3")), new SweepPulse())
                        .sweep(false)
                        .verdicts()
                        .get(VerdictName.RECLAIMED));

        assertEquals(20, reclaimed.stream().mapToInt(Integer::intValue).sum());
        assertTrue(all.stream().noneMatch(TestLease::hasRow));
    }

    @Test
    void itsRuleCanBeSwitchedOff() {
        lock.acquire("a");
        lock.expired();

        SweepTally tally = new ResourceSweep(
                        reclaims, Rules.config(Map.of("rollcall.sweeper.rules.resource-leases", "false")), pulse)
                .sweep(false);

        assertEquals(0, tally.verdicts().get(VerdictName.RECLAIMED));
        assertTrue(lock.hasRow());
        lock.acquire("b");
    }

    private SweepReport sweep() {
        return sweeper.sweep("tick", false, false);
    }

    private static int reclaimed(SweepReport report) {
        return report.verdicts().get(VerdictName.RECLAIMED);
    }
}
