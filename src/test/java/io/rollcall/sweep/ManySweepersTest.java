package io.rollcall.sweep;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Three replicas that sweep at once: each row is judged once. */
@QuarkusTest
class ManySweepersTest {
    private static final int SWEEPERS = 3;

    private final ExecutorService threads = Executors.newFixedThreadPool(SWEEPERS);

    @Inject
    Sweepers sweepers;

    @Inject
    SweepBatch batches;

    @Inject
    SweepConfig config;

    @BeforeEach
    void startAfresh() {
        Rows.startAfresh();
    }

    @AfterEach
    void stop() {
        threads.shutdownNow();
    }

    @Test
    void aThousandExpiredRowsGiveAThousandTransitions() throws Exception {
        // given 1,000 expired rows of all kinds, and enough healthy ones for the brake to stay open
        List<UUID> overdue = Rows.running(400);
        Rows.passDeadline(overdue);
        List<UUID> stuckNext = Rows.running(300);
        Rows.fallSilent(stuckNext);
        List<UUID> queuedNext = Rows.running(300, "requeue");
        Rows.fallSilent(queuedNext);
        List<UUID> healthy = Rows.running(300);
        long deadlocks = deadlocks();

        // when three sweepers run at once, and once more for what each left to the others
        List<SweepReport> sweeps = new ArrayList<>(atOnce(i -> aSweeper()::tick));
        sweeps.add(aSweeper().tick());

        // then every row has moved once, and the reports add up
        assertEquals(400, Rows.inStatus(overdue, "failed"));
        assertEquals(300, Rows.inStatus(stuckNext, "stuck"));
        assertEquals(300, Rows.inStatus(queuedNext, "queued"));
        assertEquals(300, Rows.inStatus(healthy, "in_progress"));
        assertEquals(1_000, transitions());
        assertEquals(1_000, sweeps.stream().mapToInt(ManySweepersTest::total).sum());
        assertEquals(0, sweeps.stream().mapToInt(SweepReport::errors).sum());
        assertTrue(sweeps.stream().noneMatch(SweepReport::braked));
        assertEquals(0, total(sweeps.get(SWEEPERS)), "three at once have left nothing");
        assertEquals(deadlocks, deadlocks());
        assertEquals(300 + 300, Rows.number("select count(*) from lease"), "stuck and healthy ones keep theirs");
    }

    @Test
    void theSameRowsInOtherOrdersDoNotDeadlock() throws Exception {
        // given 1,000 silent rows, and small batches of them shuffled for each of three sweepers
        List<UUID> silent = Rows.running(1_000);
        Rows.fallSilent(silent);
        long deadlocks = deadlocks();

        // when all batches run
        List<Map<VerdictName, Integer>> counted = atOnce(i -> () -> sweepShuffled(silent, i));

        // then each row got one verdict, whoever gave it
        assertEquals(1_000, counted.stream().mapToInt(ManySweepersTest::sum).sum());
        assertEquals(1_000, Rows.inStatus(silent, "stuck"));
        assertEquals(1_000, transitions());
        assertEquals(deadlocks, deadlocks());
    }

    private Map<VerdictName, Integer> sweepShuffled(List<UUID> ids, int seed) {
        List<UUID> shuffled = new ArrayList<>(ids);
        Collections.shuffle(shuffled, new Random(seed));
        SweepTally tally = new SweepTally();
        for (int from = 0; from < shuffled.size(); from += 20) {
            tally.add(batches.sweep(shuffled.subList(from, from + 20), false, Map.of()));
        }
        return tally.verdicts();
    }

    /** Each with a lock of its own, as in another process. */
    private OneSweeper aSweeper() {
        Sweeper sweeper = sweepers.start(config);
        return () -> sweeper.sweep("tick", false, false);
    }

    private interface OneSweeper {
        SweepReport tick();
    }

    private <T> List<T> atOnce(IntFunction<Callable<T>> actions) throws Exception {
        CyclicBarrier start = new CyclicBarrier(SWEEPERS);
        List<Future<T>> running = new ArrayList<>();
        for (int i = 0; i < SWEEPERS; i++) {
            Callable<T> action = actions.apply(i);
            running.add(threads.submit(() -> {
                start.await();
                return action.call();
            }));
        }
        List<T> results = new ArrayList<>();
        for (Future<T> future : running) {
            results.add(future.get(120, TimeUnit.SECONDS));
        }
        return results;
    }

    private static long transitions() {
        return Rows.number("select count(*) from delegation_event where kind = 'transition'");
    }

    private static long deadlocks() {
        return Rows.number("select deadlocks from pg_stat_database where datname = current_database()");
    }

    private static int total(SweepReport report) {
        return sum(report.verdicts());
    }

    private static int sum(Map<VerdictName, Integer> verdicts) {
        return verdicts.values().stream().mapToInt(Integer::intValue).sum();
    }
}
