package io.rollcall.liveness;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Who is asked, how many at once, and for how long. */
class ProberTest {
    private static final Turn TURN = Turn.ofTick("test", Duration.ofMinutes(5));
    private static final Duration LONG = Duration.ofMinutes(1);

    private final List<Prober> probers = new ArrayList<>();
    private final Holders holders = new Holders();

    @AfterEach
    void stop() {
        probers.forEach(Prober::stop);
    }

    @Test
    void deadAndAliveAreToldTheUnknownIsLeftAlone() {
        holders.add(1, 2, 3);

        prober(LONG, LONG, probe -> Liveness.values()[(int) pid(probe) - 1]).ask(holders, TURN);

        assertEquals(List.of("2"), holders.dead);
        assertEquals(List.of("1"), holders.alive);
    }

    @Test
    void theFirstWayOfAskingThatKnowsSomethingAnswers() {
        holders.add(1);

        prober(LONG, LONG, probe -> Liveness.UNKNOWN, probe -> Liveness.DEAD, probe -> Liveness.ALIVE)
                .ask(holders, TURN);

        assertEquals(List.of("1"), holders.dead);
    }

    @Test
    void aWayOfAskingThatBreaksProvesNothing() {
        holders.add(1, 2);

        prober(LONG, LONG, probe -> {
                    if (pid(probe) == 1) {
                        throw new IllegalStateException("broken");
                    }
                    return Liveness.DEAD;
                })
                .ask(holders, TURN);

        assertEquals(List.of("2"), holders.dead);
    }

    @Test
    void aProbeThatNobodyKnowsProvesNothing() {
        holders.all.add(new SilentHolder("1", 1, null, "{\"kind\": \"of the future\"}"));
        holders.add(2);

        prober(LONG, LONG, probe -> Liveness.DEAD).ask(holders, TURN);

        assertEquals(List.of("2"), holders.dead);
    }

    @Test
    void allOfThemAreAskedPageByPage() {
        holders.add(IntStream.rangeClosed(1, 1_234).toArray());

        prober(LONG, LONG, probe -> Liveness.DEAD).ask(holders, TURN);

        assertEquals(1_234, holders.dead.size());
        assertEquals(1_234, Set.copyOf(holders.dead).size());
    }

    @Test
    void severalAreAskedAtOnce() {
        // given answers that come only when sixteen are asked
        CountDownLatch sixteen = new CountDownLatch(16);
        holders.add(IntStream.rangeClosed(1, 16).toArray());

        prober(LONG, LONG, probe -> {
                    sixteen.countDown();
                    return await(sixteen);
                })
                .ask(holders, TURN);

        assertEquals(16, holders.dead.size());
    }

    @Test
    void whatOneProcessHoldsManyTimesIsAskedOnce() {
        AtomicInteger asked = new AtomicInteger();
        IntStream.range(0, 100)
                .forEach(key -> holders.all.add(new SilentHolder(String.valueOf(key), 1, null, json(7))));

        prober(LONG, LONG, probe -> {
                    asked.incrementAndGet();
                    return Liveness.DEAD;
                })
                .ask(holders, TURN);

        assertEquals(1, asked.get());
        assertEquals(100, holders.dead.size());
    }

    @Test
    void oneThatHangsKeepsNobodyElseFromBeingAsked() {
        CountDownLatch never = new CountDownLatch(1);
        holders.add(IntStream.rangeClosed(1, 40).toArray());

        prober(Duration.ofMillis(300), LONG, probe -> pid(probe) == 3 ? await(never) : Liveness.DEAD)
                .ask(holders, TURN);

        assertEquals(39, holders.dead.size());
        assertFalse(holders.dead.contains("3"));
    }

    @Test
    void whoWasNotAskedInTimeIsAskedFirstNextTime() {
        // given forty who hang, sixteen at once, and time for one round
        Set<Long> asked = Collections.newSetFromMap(new ConcurrentHashMap<>());
        CountDownLatch never = new CountDownLatch(1);
        holders.add(IntStream.rangeClosed(1, 40).toArray());
        Prober prober = prober(Duration.ofMillis(1_200), Duration.ofSeconds(1), probe -> {
            asked.add(pid(probe));
            return await(never);
        });

        prober.ask(holders, TURN);
        assertEquals(numbers(1, 16), asked);

        asked.clear();
        prober.ask(holders, TURN);
        assertEquals(numbers(17, 32), asked);

        asked.clear();
        prober.ask(holders, TURN);
        assertEquals(numbers(33, 40), asked);

        asked.clear();
        prober.ask(holders, TURN);
        assertEquals(numbers(1, 16), asked);
    }

    private static Set<Long> numbers(long from, long to) {
        return Set.copyOf(LongStream.rangeClosed(from, to).boxed().toList());
    }

    private Prober prober(Duration patience, Duration longest, LivenessProbe... probes) {
        Prober prober = new Prober(List.of(probes), new ObjectMapper(), new SimpleMeterRegistry(), patience, longest);
        probers.add(prober);
        return prober;
    }

    private static Liveness await(CountDownLatch latch) {
        try {
            latch.await();
            return Liveness.DEAD;
        } catch (InterruptedException e) {
            return Liveness.UNKNOWN;
        }
    }

    private static long pid(Probe probe) {
        return ((Probe.OfProcess) probe).pid();
    }

    private static String json(long pid) {
        return "{\"kind\": \"process\", \"bootId\": \"b\", \"pidNamespace\": \"p\", \"pid\": %d, \"startTicks\": 1}"
                .formatted(pid);
    }

    /** Holders in memory, in the order in which they were added. */
    private static final class Holders implements ProbedHolders {
        private static final int PAGE = 100;

        private final List<SilentHolder> all = new ArrayList<>();
        private final List<String> dead = new ArrayList<>();
        private final List<String> alive = new ArrayList<>();

        void add(int... pids) {
            for (int pid : pids) {
                all.add(new SilentHolder(String.valueOf(pid), 1, null, json(pid)));
            }
        }

        @Override
        public String name() {
            return "tests";
        }

        @Override
        public SilentPage findSilent(String after) {
            List<SilentHolder> page = all.stream()
                    .dropWhile(holder -> after != null && !holder.key().equals(after))
                    .skip(after == null ? 0 : 1)
                    .limit(PAGE)
                    .toList();
            return new SilentPage(
                    page, page.size() < PAGE ? null : page.get(PAGE - 1).key());
        }

        @Override
        public void countDead(List<SilentHolder> found, Turn turn) {
            found.forEach(holder -> dead.add(holder.key()));
        }

        @Override
        public void clear(List<SilentHolder> found) {
            found.forEach(holder -> alive.add(holder.key()));
        }
    }
}
