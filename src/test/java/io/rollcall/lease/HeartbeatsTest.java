package io.rollcall.lease;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.quarkus.test.junit.QuarkusTest;
import io.rollcall.error.ErrorCode;
import io.rollcall.sweep.Rows;
import io.rollcall.testing.TestSql;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.eclipse.microprofile.config.Config;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The hot path: many beats in one statement, each answered for itself and after its commit. */
@QuarkusTest
class HeartbeatsTest {
    private static final String NOTED = "select noted_at from beat_acceptance";

    private final List<Heartbeats> started = new ArrayList<>();

    @Inject
    Heartbeats heartbeats;

    @Inject
    BeatRepository repository;

    @Inject
    AcceptanceRepository acceptance;

    @Inject
    Config config;

    @BeforeEach
    void startAfresh() {
        Rows.startAfresh();
    }

    @AfterEach
    void stop() throws InterruptedException {
        Rows.execute("drop function if exists poison cascade");
        for (Heartbeats one : started) {
            one.stop(new ShutdownEvent());
        }
    }

    @Test
    void twoBeatsForOneLeaseInABatchAreWrittenAsOneAndBothAnswered() throws Exception {
        // given two beats that wait together
        UUID id = Rows.running(1).get(0);
        Heartbeats own = waiting(10);
        var first = renew(own, new Beat(id, 1L, 0.25, "first", true, null, SelfDescription.NONE));
        var second = renew(own, new Beat(id, 1L, null, "second", null, Duration.ofMinutes(20), SelfDescription.NONE));

        start(own);

        // then both got the same renewal, and the later one decides what both say
        assertEquals(renewed(first), renewed(second));
        assertEquals(Duration.ofMinutes(20), renewed(first).leaseTime());
        assertEquals(
                "0.25 second true 1200000000",
                Rows.text(
                        "select concat_ws(' ', progress, note, case when non_idempotent then 'true' end, lease_us)"
                                + " from lease where delegation_id = ?",
                        id));
    }

    @Test
    void beatsOfTwoEpochsForOneLeaseInABatchAreToldApart() throws Exception {
        // given beats of the holder and of one that came before it, in both orders
        List<UUID> ids = Rows.running(2);
        Rows.execute("update lease set epoch = 2 where delegation_id = any(?)", ids);
        Heartbeats own = waiting(10);
        var oldFirst = renew(own, beat(ids.get(0), 1L));
        var newSecond = renew(own, beat(ids.get(0), 2L));
        var newFirst = renew(own, beat(ids.get(1), 2L));
        var oldSecond = renew(own, beat(ids.get(1), 1L));
        var again = renew(own, beat(ids.get(1), 2L));

        start(own);

        assertEquals(Optional.empty(), get(oldFirst));
        assertEquals(2, renewed(newSecond).epoch());
        assertEquals(2, renewed(newFirst).epoch());
        assertEquals(Optional.empty(), get(oldSecond));
        assertEquals(2, renewed(again).epoch());
    }

    @Test
    void whatHasNotBegunOrDoesNotExistTakesTheOrdinaryPath() throws Exception {
        UUID notBegun = Rows.register(1, "none").get(0);

        assertEquals(Optional.empty(), get(renew(heartbeats, beat(notBegun, 1L))));
        assertEquals(Optional.empty(), get(renew(heartbeats, beat(UUID.randomUUID(), 1L))));
        assertEquals("f", Rows.text("select begun from lease where delegation_id = ?", notBegun));
    }

    @Test
    void theEpochMayBeLeftOutOnlyWhereNoOtherAttemptCanBe() throws Exception {
        UUID sole = Rows.running(1, "none").get(0);
        UUID oneOfMany = Rows.running(1, "requeue").get(0);

        assertEquals(1, renewed(renew(heartbeats, beat(sole, null))).epoch());
        assertEquals(Optional.empty(), get(renew(heartbeats, beat(oneOfMany, null))));
    }

    @Test
    void tenThousandBeatsAtOnceForAThousandLeasesAreAllAnswered() throws Exception {
        // given 1,000 silent leases
        List<UUID> ids = Rows.running(1_000);
        Rows.fallSilent(ids);

        // when eight threads send 10,000 beats
        List<CompletableFuture<Optional<Renewal>>> answers = Collections.synchronizedList(new ArrayList<>());
        atOnce(8, thread -> {
            for (int i = 0; i < 1_250; i++) {
                answers.add(renew(heartbeats, beat(ids.get((thread * 1_250 + i) % ids.size()), 1L)));
            }
        });

        // then each is answered with the renewal of its own lease
        Set<UUID> seen = new HashSet<>();
        for (CompletableFuture<Optional<Renewal>> answer : answers) {
            seen.add(renewed(answer).delegationId());
        }
        assertEquals(10_000, answers.size());
        assertEquals(new HashSet<>(ids), seen);
        assertEquals(1_000, Rows.number("select count(*) from lease where stale_at > now() + interval '5 minutes'"));
    }

    @Test
    void oneBadBeatSpoilsNoOther() throws Exception {
        // given 100 beats in one batch, of which the database refuses one
        List<UUID> ids = Rows.running(100);
        UUID bad = ids.get(57);
        poison(bad, "P0001");
        Rows.execute("update beat_acceptance set noted_at = now() - interval '4 seconds'");
        Heartbeats own = waiting(200);
        List<CompletableFuture<Optional<Renewal>>> answers =
                ids.stream().map(id -> renew(own, beat(id, 1L))).toList();

        start(own);

        // then the others are renewed, and it alone is told to beat again
        for (int i = 0; i < ids.size(); i++) {
            if (i != 57) {
                assertEquals(ids.get(i), renewed(answers.get(i)).delegationId());
            }
        }
        assertEquals(ErrorCode.UNAVAILABLE, refusal(answers.get(57)));

        // and this says nothing of the service: the next note is written
        String before = Rows.text(NOTED);
        own.note();
        await().atMost(Duration.ofSeconds(20)).until(() -> !before.equals(Rows.text(NOTED)));
    }

    @Test
    void withoutADatabaseAllThatWaitAreToldAtOnceAndNothingIsNoted() throws Exception {
        // given beats that the database, which is shutting down, does not take
        List<UUID> ids = Rows.running(50);
        poison(ids.get(0), "57P03");
        Heartbeats own = waiting(200);
        List<CompletableFuture<Optional<Renewal>>> answers =
                ids.stream().map(id -> renew(own, beat(id, 1L))).toList();

        start(own);

        for (CompletableFuture<Optional<Renewal>> answer : answers) {
            assertEquals(ErrorCode.UNAVAILABLE, refusal(answer));
        }
        isNotNotedOnceThenAgain(own);
    }

    @Test
    void aFullQueueRefusesAtOnceAndThatCountsAsAnOutage() throws Exception {
        // given room for two, and nobody who writes
        List<UUID> ids = Rows.running(3);
        Heartbeats own = waiting(2);
        var first = renew(own, beat(ids.get(0), 1L));
        var second = renew(own, beat(ids.get(1), 1L));

        // when a third comes
        var third = renew(own, beat(ids.get(2), 1L));

        // then it is refused at once, and the others are not
        assertEquals(ErrorCode.OVERLOADED, refusal(third));
        assertFalse(first.isDone() || second.isDone());
        start(own);
        assertEquals(ids.get(0), renewed(first).delegationId());
        assertEquals(ids.get(1), renewed(second).delegationId());
        isNotNotedOnceThenAgain(own);
    }

    @Test
    void aNoteThatFindsTheQueueFullIsSkippedAndSoIsTheNext() {
        UUID id = Rows.running(1).get(0);
        Heartbeats own = waiting(1);
        var beat = renew(own, beat(id, 1L));
        own.note();
        start(own);
        await().atMost(Duration.ofSeconds(20)).until(beat::isDone);

        isNotNotedOnceThenAgain(own);
    }

    @Test
    void beatsInOppositeOrdersDoNotDeadlock() throws Exception {
        List<UUID> ids = Rows.running(500);
        String deadlocks = "select deadlocks from pg_stat_database where datname = current_database()";
        long before = Rows.number(deadlocks);

        // when two writers renew the same leases in other orders, time and again
        atOnce(2, thread -> {
            List<Beat> beats =
                    new ArrayList<>(ids.stream().map(id -> beat(id, 1L)).toList());
            for (int round = 0; round < 40; round++) {
                Collections.shuffle(beats, new Random(thread * 1_000L + round));
                assertEquals(500, repository.renewInOneTransaction(beats).size());
            }
        });

        assertEquals(before, Rows.number(deadlocks));
    }

    @Test
    void aBeatThatWaitsForAVerdictSeesIt() throws Exception {
        // given verdicts that are written but not committed: one stuck, one requeued
        List<UUID> ids = Rows.running(2);
        CompletableFuture<Optional<Renewal>> stuck;
        CompletableFuture<Optional<Renewal>> requeued;
        try (TestSql.Held verdicts = new TestSql.Held(
                        "update lease set stuck = true where delegation_id = ?", ids.get(0))
                .execute("delete from lease where delegation_id = ?", ids.get(1))) {
            Heartbeats own = waiting(10);
            stuck = renew(own, beat(ids.get(0), 1L));
            requeued = renew(own, beat(ids.get(1), 1L));
            start(own);
            verdicts.awaitBlocked(1);
            assertFalse(stuck.isDone() || requeued.isDone());

            verdicts.commit();
        }

        assertTrue(renewed(stuck).stuck());
        assertEquals(Optional.empty(), get(requeued));
    }

    @Test
    void aBeatNeverMovesALeaseBack() throws Exception {
        // given a lease whose last beat committed after ours began
        UUID id = Rows.running(1).get(0);
        Rows.execute(
                "update lease set last_beat_at = now() + interval '1 minute',"
                        + " stale_at = now() + interval '11 minutes' where delegation_id = ?",
                id);
        String before = Rows.text("select stale_at from lease where delegation_id = ?", id);

        renewed(renew(heartbeats, beat(id, 1L)));

        assertEquals(before, Rows.text("select stale_at from lease where delegation_id = ?", id));
    }

    @Test
    void shuttingDownAnswersWhatWaitsAndRefusesTheRest() throws Exception {
        // given a batch that is held up, and more beats behind it
        List<UUID> ids = Rows.running(2_000);
        Heartbeats own = waiting(5_000);
        List<CompletableFuture<Optional<Renewal>>> answers = new ArrayList<>();
        ExecutorService threads = Executors.newSingleThreadExecutor();
        try (TestSql.Held holder = TestSql.holdLease(ids.get(0))) {
            start(own);
            answers.add(renew(own, beat(ids.get(0), 1L)));
            holder.awaitBlocked(1);
            ids.subList(1, ids.size()).forEach(id -> answers.add(renew(own, beat(id, 1L))));

            // when the service is told to stop
            Future<?> stopping = threads.submit(() -> {
                own.stop(new ShutdownEvent());
                return null;
            });
            await().atMost(Duration.ofSeconds(4))
                    .until(() -> renew(own, beat(ids.get(0), 1L)).isCompletedExceptionally());
            holder.close();
            stopping.get(30, TimeUnit.SECONDS);
        } finally {
            threads.shutdownNow();
        }

        // then all that waited are renewed, and what comes later is refused
        for (CompletableFuture<Optional<Renewal>> answer : answers) {
            assertTrue(get(answer).isPresent());
        }
        assertEquals(ErrorCode.OVERLOADED, refusal(renew(own, beat(ids.get(0), 1L))));
    }

    /** One note is left out, the next one is written and finds a gap of more than five seconds. */
    private static void isNotNotedOnceThenAgain(Heartbeats own) {
        Rows.execute("update beat_acceptance set noted_at = now() - interval '1 minute'");
        String before = Rows.text(NOTED);
        own.note();
        assertEquals(before, Rows.text(NOTED));
        own.note();
        await().atMost(Duration.ofSeconds(20))
                .until(() -> Rows.text(NOTED).equals(Rows.text("select returned_at from beat_acceptance")));
    }

    private static void poison(UUID id, String state) {
        Rows.execute("""
                create function poison() returns trigger language plpgsql as
                $$ begin raise exception 'poisoned' using errcode = '%s'; end $$
                """.formatted(state));
        Rows.execute("""
                create trigger poison before update on lease for each row
                when (old.delegation_id = '%s') execute function poison()
                """.formatted(id));
    }

    /** One of our own, whose beats wait until it is started. */
    private Heartbeats waiting(int room) {
        return new Heartbeats(repository, acceptance, new LeaseConfig(config, room), new SimpleMeterRegistry());
    }

    private void start(Heartbeats own) {
        own.start(new StartupEvent());
        started.add(own);
    }

    private static Beat beat(UUID id, Long epoch) {
        return Beat.plain(id, epoch, null);
    }

    private static CompletableFuture<Optional<Renewal>> renew(Heartbeats own, Beat beat) {
        return own.renew(beat).toCompletableFuture();
    }

    private static <T> T get(CompletableFuture<T> answer) throws Exception {
        return answer.get(60, TimeUnit.SECONDS);
    }

    private static Renewal renewed(CompletableFuture<Optional<Renewal>> answer) throws Exception {
        return get(answer).orElseThrow();
    }

    private static ErrorCode refusal(CompletableFuture<?> answer) {
        Throwable failure =
                assertThrows(ExecutionException.class, () -> get(answer)).getCause();
        return assertInstanceOf(BeatsRefusedException.class, failure).code();
    }

    private interface Work {
        void run(int thread) throws Exception;
    }

    private static void atOnce(int count, Work work) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(count);
        try {
            List<Callable<Void>> all = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                int thread = i;
                all.add(() -> {
                    work.run(thread);
                    return null;
                });
            }
            for (Future<Void> done : threads.invokeAll(all, 120, TimeUnit.SECONDS)) {
                done.get();
            }
        } finally {
            threads.shutdownNow();
        }
    }
}
