package io.rollcall.sweep;

import static io.restassured.RestAssured.given;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quarkus.narayana.jta.QuarkusTransaction;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.http.ContentType;
import io.restassured.response.Response;
import io.rollcall.delegation.DelegationRepository;
import io.rollcall.lease.LeaseRepository;
import io.rollcall.testing.TestSql;
import io.rollcall.time.DatabaseClock;
import jakarta.inject.Inject;
import jakarta.persistence.EntityManager;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The sweep against whatever commits at the same time: two real transactions each. */
@QuarkusTest
class SweepRaceTest {
    private static final String BEAT = "update lease set last_beat_at = now(),"
            + " stale_at = now() + lease_us * interval '1 microsecond' where delegation_id = ?";

    private final ExecutorService threads = Executors.newCachedThreadPool();

    @Inject
    Sweeper sweeper;

    @Inject
    SweepBatch batches;

    @Inject
    RuleBook rules;

    @Inject
    DelegationRepository delegations;

    @Inject
    LeaseRepository leases;

    @Inject
    DatabaseClock clock;

    @Inject
    EntityManager entities;

    @BeforeEach
    void startAfresh() {
        Rows.startAfresh();
    }

    @AfterEach
    void stop() {
        threads.shutdownNow();
    }

    @Test
    void aCompletionThatIsBeingCommittedIsSkipped() throws Exception {
        // given a silent one whose completion is written but not committed
        UUID id = silent();
        try (TestSql.Held completion = TestSql.holdDelegation(id)) {
            Future<Response> report = inBackground(() -> complete(id));
            completion.awaitBlocked(1);

            // when the sweep runs meanwhile, it does not wait for it
            SweepReport sweep = sweeper.sweep("tick", false, false);

            // then it leaves the row alone, and the completion stands
            assertEquals(1, sweep.conflicts());
            assertEquals(0, sweep.errors());
            assertEquals(0, total(sweep));
            completion.close();
            assertEquals(200, report.get(30, TimeUnit.SECONDS).statusCode());
        }
        assertEquals(0, total(sweeper.sweep("tick", false, false)));
        assertEquals(
                List.of("registered dispatched", "transition in_progress completed"),
                Rows.history(id),
                "no trace of the sweep");
    }

    @Test
    void aCompletionBetweenTheSearchAndTheLockWins() {
        // given a sweep that has found its candidates
        UUID id = silent();
        List<UUID> candidates = found();
        assertEquals(List.of(id), candidates);

        // when the completion commits before the batch locks them
        complete(id).then().statusCode(200);
        SweepTally batch = batches.sweep(candidates, false, Map.of());

        // then it is a conflict, and nothing is written
        assertEquals(1, batch.conflicts());
        assertEquals("completed", Rows.status(id));
        assertEquals(2, Rows.history(id).size());
    }

    @Test
    void aHeartbeatThatCommitsWhileTheSweepWaitsForTheLeaseWins() throws Exception {
        // given a silent one whose beat is written but not committed
        UUID id = silent();
        try (TestSql.Held beat = new TestSql.Held(BEAT, id)) {
            // when the sweep, which holds the row by now, waits for the lease
            Future<SweepReport> sweep = inBackground(() -> sweeper.sweep("tick", false, false));
            beat.awaitBlocked(1);
            beat.commit();

            // then it judges the lease as the beat left it
            assertEquals(1, sweep.get(30, TimeUnit.SECONDS).conflicts());
        }
        assertEquals("in_progress", Rows.status(id));
        assertEquals(1, Rows.history(id).size());
    }

    @Test
    void aHeartbeatThatIsTakenBackDoesNotSaveAnybody() throws Exception {
        UUID id = silent();
        try (TestSql.Held beat = new TestSql.Held(BEAT, id)) {
            Future<SweepReport> sweep = inBackground(() -> sweeper.sweep("tick", false, false));
            beat.awaitBlocked(1);
            beat.close();

            assertEquals(1, total(sweep.get(30, TimeUnit.SECONDS)));
        }
        assertEquals("stuck", Rows.status(id));
    }

    @Test
    void aHeartbeatThatWaitedForTheVerdictIsAnsweredByIt() throws Exception {
        // given a verdict that holds row and lease while a further lease of its batch keeps it from committing
        List<UUID> both = Rows.running(2).stream()
                .sorted(DelegationRepository.DATABASE_ORDER)
                .toList();
        Rows.fallSilent(both);
        UUID judged = both.get(0);
        try (TestSql.Held holder = TestSql.holdLease(both.get(1))) {
            Future<SweepReport> sweep = inBackground(() -> sweeper.sweep("tick", false, false));
            holder.awaitBlocked(1);

            // when a beat for the first arrives
            Future<Response> beat = inBackground(() -> beat(judged));
            holder.awaitBlocked(2);
            holder.close();

            // then it comes too late to change the verdict, but is answered: its lease lives on
            assertEquals(2, total(sweep.get(30, TimeUnit.SECONDS)));
            beat.get(30, TimeUnit.SECONDS).then().statusCode(200);
            assertEquals("stuck", beat.get().path("status"));
        }
        assertEquals("stuck", Rows.status(judged));
    }

    @Test
    void aReportThatMeetsASweepIsTriedAgainAndEndsIt() throws Exception {
        // given a sweep that holds the row and waits for the lease
        UUID id = silent();
        try (TestSql.Held holder = TestSql.holdLease(id)) {
            Future<SweepReport> sweep = inBackground(() -> sweeper.sweep("tick", false, false));
            holder.awaitBlocked(1);

            // when the report, which has read "in progress", waits for the row
            Future<Response> report = inBackground(() -> complete(id));
            holder.awaitBlocked(2);
            holder.close();

            // then the sweep wins, and the report finds it stuck when it is tried again
            assertEquals(1, total(sweep.get(30, TimeUnit.SECONDS)));
            report.get(30, TimeUnit.SECONDS).then().statusCode(200);
        }
        assertEquals("completed", Rows.status(id));
        assertEquals(
                List.of("registered dispatched", "transition in_progress stuck", "transition stuck completed"),
                Rows.history(id));
        assertEquals(0, Rows.number("select count(*) from lease where delegation_id = ?", id));
    }

    @Test
    void aReportThatMeetsARequeueHasLostItsLease() throws Exception {
        UUID id = Rows.running(1, "requeue").get(0);
        Rows.fallSilent(List.of(id));
        try (TestSql.Held holder = TestSql.holdLease(id)) {
            Future<SweepReport> sweep = inBackground(() -> sweeper.sweep("tick", false, false));
            holder.awaitBlocked(1);
            Future<Response> report = inBackground(() -> complete(id));
            holder.awaitBlocked(2);
            holder.close();

            assertEquals(1, total(sweep.get(30, TimeUnit.SECONDS)));
            Response answer = report.get(30, TimeUnit.SECONDS);
            assertEquals(409, answer.statusCode());
            assertEquals("urn:rollcall:problem:lease-lost", answer.path("type"));
            assertEquals("queued", answer.path("delegationStatus"));
        }
        assertEquals("queued", Rows.status(id));
        assertEquals(
                List.of("registered dispatched", "transition in_progress queued", "late_report"), Rows.history(id));
    }

    @Test
    void aLeaseThatStaysLockedIsLeftToTheNextSweepAndHoldsUpNoOther() throws Exception {
        List<UUID> both = Rows.running(2);
        Rows.fallSilent(both);
        try (TestSql.Held holder = TestSql.holdLease(both.get(0))) {
            SweepReport report = sweeper.sweep("tick", false, false);
            assertEquals(1, total(report));
            assertEquals(0, report.errors());
            assertEquals(1, report.conflicts());
        }
        assertEquals(0, Rows.number("select count(*) from set_aside where delegation_id = ?", both.get(0)));
        assertEquals(1, total(sweeper.sweep("tick", false, false)));
    }

    @Test
    void whatIsStuckCanStillComplete() {
        UUID id = silent();
        assertEquals(1, total(sweeper.sweep("tick", false, false)));

        assertEquals("stuck", beat(id).then().statusCode(200).extract().path("status"));
        complete(id).then().statusCode(200);

        assertEquals("completed", Rows.status(id));
        assertEquals(0, total(sweeper.sweep("tick", false, false)));
    }

    @Test
    void whatIsStuckIsNotWrittenAgain() {
        // given a stuck one, silent still
        UUID id = silent();
        assertEquals(1, total(sweeper.sweep("tick", false, false)));
        String row = "select concat_ws(' ', d.xmin, d.version, l.xmin, d.updated_at) from delegation d"
                + " join lease l on l.delegation_id = d.id where d.id = ?";
        String before = Rows.text(row, id);

        // when further sweeps come
        SweepReport second = sweeper.sweep("tick", false, false);
        SweepReport forced = sweeper.sweep("operator", false, true);

        // then neither row nor lease has been touched, and it is not even a candidate
        assertEquals(before, Rows.text(row, id));
        assertEquals(0, second.conflicts() + forced.conflicts() + total(second) + total(forced));
        assertEquals(2, Rows.history(id).size());
    }

    @Test
    void theDeadlineStillEndsWhatIsStuck() {
        UUID id = silent();
        sweeper.sweep("tick", false, false);
        Rows.passDeadline(List.of(id));

        assertEquals(1, total(sweeper.sweep("tick", false, false)));

        assertEquals("failed", Rows.status(id));
        assertEquals("deadline_exceeded", Rows.text("select reason from delegation where id = ?", id));
    }

    @Test
    void theDeadlineComesBeforeSilence() {
        UUID id = silent();
        Rows.passDeadline(List.of(id));

        SweepReport sweep = sweeper.sweep("tick", false, false);

        assertEquals(1, total(sweep));
        assertEquals("failed", Rows.status(id));
        assertEquals("deadline_exceeded", Rows.text("select reason from delegation where id = ?", id));
    }

    @Test
    void keepsTheLeaseUntilItsLastMicrosecond() {
        UUID id = Rows.running(1).get(0);
        QuarkusTransaction.requiringNew().run(() -> {
            // given, within one transaction and so at one now(), a lease that goes stale exactly now
            goStaleAt("now()", id);
            // then neither the search nor the rule takes it
            assertFalse(leases.findStale(new UUID(0, 0), 10, false).contains(id));
            assertEquals(0, leases.scan().stale());
            assertFalse(isStaleToTheRules(id));

            // and one microsecond later both do
            goStaleAt("now() - interval '1 microsecond'", id);
            assertTrue(leases.findStale(new UUID(0, 0), 10, false).contains(id));
            assertEquals(1, leases.scan().stale());
            assertTrue(isStaleToTheRules(id));
        });
    }

    private void goStaleAt(String when, UUID id) {
        entities.createNativeQuery("update lease set stale_at = " + when + " where delegation_id = :id")
                .setParameter("id", id)
                .executeUpdate();
    }

    private boolean isStaleToTheRules(UUID id) {
        Instant now = clock.now();
        DelegationSnapshot snapshot = DelegationSnapshot.of(
                delegations.get(id), leases.lockAll(List.of(id)).byDelegation().get(id), null, null);
        return rules.decide(snapshot, now, Hearing.GOOD).isPresent();
    }

    private List<UUID> found() {
        return QuarkusTransaction.requiringNew().call(() -> leases.findStale(new UUID(0, 0), 10, false));
    }

    private static UUID silent() {
        List<UUID> one = Rows.running(1);
        Rows.fallSilent(one);
        return one.get(0);
    }

    private static int total(SweepReport report) {
        return report.verdicts().values().stream().mapToInt(Integer::intValue).sum();
    }

    private static Response complete(UUID id) {
        return given().contentType(ContentType.JSON)
                .body("{\"status\": \"completed\", \"epoch\": 1}")
                .post("/v1/delegations/{id}/status", id);
    }

    private static Response beat(UUID id) {
        return given().contentType(ContentType.JSON).body("{\"epoch\": 1}").post("/v1/delegations/{id}/heartbeat", id);
    }

    private <T> Future<T> inBackground(Callable<T> action) {
        return threads.submit(action);
    }
}
