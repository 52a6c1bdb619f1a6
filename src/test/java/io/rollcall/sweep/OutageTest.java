package io.rollcall.sweep;

import static io.restassured.RestAssured.given;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.notNullValue;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quarkus.test.junit.QuarkusTest;
import io.rollcall.lease.AcceptanceRepository;
import io.rollcall.lease.Beat;
import io.rollcall.lease.Heartbeats;
import io.rollcall.testing.TestSql;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** While we were away nobody could beat: our own outage is not everybody's death. Few rows, so that no brake helps. */
@QuarkusTest
class OutageTest {
    private static final String RETURNED = "select returned_at from beat_acceptance";
    private static final String NOTED = "select noted_at from beat_acceptance";

    @Inject
    Sweeper sweeper;

    @Inject
    Heartbeats heartbeats;

    @Inject
    AcceptanceRepository acceptance;

    @BeforeEach
    @AfterEach
    void startAfresh() {
        Rows.startAfresh();
    }

    @Test
    void nobodyIsTakenForLostBeforeOneLeaseTimeHasPassedSinceWeReturned() {
        // given a service that was away for an hour, six times the lease time
        List<UUID> all = Rows.running(15);
        lastBeatWasAnHourAgo(all);
        List<UUID> overdue = all.subList(0, 5);
        Rows.passDeadline(overdue);
        wasAwayFor("1 hour");

        // when it sweeps before any beat could be accepted
        SweepReport first = sweeper.sweep("tick", false, false);

        // then deadlines are enforced, silence is not judged, and it says so
        assertEquals(5, Rows.inStatus(overdue, "failed"));
        assertEquals(0, stuck());
        assertEquals(15, first.heldBack());
        assertFalse(first.braked());

        // when beats are accepted again
        acceptance.note();
        SweepReport second = sweeper.sweep("tick", false, false);

        // then everybody has one lease time from now
        assertEquals(0, second.heldBack());
        assertEquals(0, second.conflicts(), "they are not even candidates");
        assertEquals(0, stuck());
        List<UUID> alive = all.subList(5, 10);
        List<UUID> silent = all.subList(10, 15);
        assertEquals(
                Rows.text("select returned_at + interval '10 minutes' from beat_acceptance"),
                Rows.text("select cast(? as timestamptz)", staleAtToTheApi(silent.get(0))));

        // when all but the last second of it has passed
        returnedAgo("9 minutes 50 seconds");
        assertEquals(0, sweeper.sweep("tick", false, false).verdicts().get(VerdictName.STUCK));

        // and when it has passed, those who have beaten since are well, the silent ones are stuck
        alive.forEach(OutageTest::beat);
        returnedAgo("10 minutes 1 second");
        assertEquals(5, sweeper.sweep("tick", false, false).verdicts().get(VerdictName.STUCK));
        assertEquals(5, Rows.inStatus(silent, "stuck"));
        assertEquals(5, Rows.inStatus(alive, "in_progress"));
    }

    @Test
    void forceDoesNotJudgeSilenceWhileNoBeatsAreAccepted() {
        List<UUID> silent = Rows.running(3);
        Rows.fallSilent(silent);
        wasAwayFor("6 seconds");

        SweepReport sweep = sweeper.sweep("operator", false, true);

        assertEquals(0, Rows.inStatus(silent, "stuck"));
        assertEquals(3, sweep.heldBack());
    }

    @Test
    void aSweepThatFrozeHalfWayDoesNoHarm() throws Exception {
        // given a sweep that found beats accepted, and is held up in its first batch, the one of the deadlines
        List<UUID> overdue = Rows.running(1);
        Rows.passDeadline(overdue);
        List<UUID> silent = Rows.running(3);
        Rows.fallSilent(silent);
        ExecutorService threads = Executors.newSingleThreadExecutor();
        try (TestSql.Held holder = TestSql.holdLease(overdue.get(0))) {
            var sweep = threads.submit(() -> sweeper.sweep("tick", false, false));
            holder.awaitBlocked(1);

            // when nothing has been noted for six seconds by the time it goes on
            wasAwayFor("6 seconds");
            holder.close();

            // then it leaves the silent ones alone
            SweepReport report = sweep.get(30, TimeUnit.SECONDS);
            assertEquals(3, report.heldBack());
            assertEquals(0, report.verdicts().get(VerdictName.STUCK));
        } finally {
            threads.shutdownNow();
        }
        assertEquals(1, Rows.inStatus(overdue, "failed"));
        assertEquals(0, Rows.inStatus(silent, "stuck"));
    }

    @Test
    void aGapOfUpToFiveSecondsIsNoOutage() {
        String returned = Rows.text(RETURNED);
        wasAwayFor("4 seconds");

        acceptance.note();

        assertEquals(returned, Rows.text(RETURNED));
    }

    @Test
    void aLongerGapIsOneAndEndsWithTheNextNote() {
        wasAwayFor("5 seconds 1 millisecond");

        acceptance.note();

        assertEquals(Rows.text(NOTED), Rows.text(RETURNED));
        given().get("/v1/sweeper").then().statusCode(200).body("returnedAt", notNullValue());
        String returned = Rows.text(RETURNED);
        acceptance.note();
        assertEquals(returned, Rows.text(RETURNED), "the next note has no gap before it");
    }

    @Test
    void theFirstStartOfAnEmptyLedgerCountsAsOne() {
        Rows.execute("update beat_acceptance set noted_at = '-infinity', returned_at = '-infinity'");
        given().get("/v1/sweeper").then().statusCode(200);
        List<UUID> silent = Rows.running(3);
        Rows.fallSilent(silent);

        acceptance.note();

        assertEquals(Rows.text(NOTED), Rows.text(RETURNED));
        sweeper.sweep("tick", false, false);
        assertEquals(0, Rows.inStatus(silent, "stuck"));
    }

    @Test
    void theNoteNeverFalls() {
        // given a replica whose note committed after ours began
        String later = Rows.text("select noted_at from beat_acceptance");

        acceptance.note();

        assertEquals(later, Rows.text(NOTED));
    }

    @Test
    void theNoteTakesThePathOfTheBeats() {
        wasAwayFor("4 seconds");

        heartbeats.note();

        await().atMost(Duration.ofSeconds(20))
                .until(() -> Rows.number(
                                "select count(*) from beat_acceptance where noted_at > now() - interval '4 seconds'")
                        == 1);
    }

    @Test
    void aNoteThatWaitsInTheQueueIsDatedWhenItIsWritten() throws Exception {
        // given batches of beats that are held up, one for each writer, and a note behind them
        List<UUID> ids = Rows.running(2);
        wasAwayFor("1 minute");
        List<CompletableFuture<?>> beats = new ArrayList<>();
        try (TestSql.Held holder = TestSql.holdLease(ids.get(0));
                TestSql.Held other = TestSql.holdLease(ids.get(1))) {
            beats.add(renewed(ids.get(0)));
            holder.awaitBlocked(1);
            beats.add(renewed(ids.get(1)));
            other.awaitBlocked(1);
            heartbeats.note();
            assertTrue(beats.stream().noneMatch(CompletableFuture::isDone), "nothing is answered before its commit");

            // then nothing is noted while beats cannot be written
            assertEquals(
                    1,
                    Rows.number("select count(*) from beat_acceptance where noted_at < now() - interval '50 seconds'"));
        }
        for (CompletableFuture<?> beat : beats) {
            beat.get(20, TimeUnit.SECONDS);
        }
        await().atMost(Duration.ofSeconds(20)).until(() -> Rows.text(NOTED).equals(Rows.text(RETURNED)));
    }

    private CompletableFuture<?> renewed(UUID id) {
        return heartbeats.renew(Beat.plain(id, 1L, null)).toCompletableFuture();
    }

    private static void wasAwayFor(String interval) {
        Rows.execute("update beat_acceptance set noted_at = now() - cast('%s' as interval)".formatted(interval));
    }

    private static void returnedAgo(String interval) {
        Rows.execute("update beat_acceptance set noted_at = now() + interval '1 minute',"
                + " returned_at = now() - cast('%s' as interval)".formatted(interval));
    }

    private static void lastBeatWasAnHourAgo(List<UUID> ids) {
        Rows.execute(
                "update lease set last_beat_at = now() - interval '1 hour',"
                        + " stale_at = now() - interval '50 minutes' where delegation_id = any(?)",
                ids);
    }

    private static void beat(UUID id) {
        given().contentType("application/json")
                .body("{\"epoch\": 1}")
                .post("/v1/delegations/{id}/heartbeat", id)
                .then()
                .statusCode(200);
    }

    private static String staleAtToTheApi(UUID id) {
        return given().get("/v1/delegations/{id}", id)
                .then()
                .statusCode(200)
                .extract()
                .path("lease.staleAt");
    }

    private static long stuck() {
        return Rows.number("select count(*) from delegation where status = 'stuck'");
    }
}
