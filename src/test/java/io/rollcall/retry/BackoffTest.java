package io.rollcall.retry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BackoffTest {
    private static final Backoff DEFAULT = new Backoff(Duration.ofSeconds(30), Duration.ofMinutes(10));

    /** A generator that always says the same, from 0 (inclusive) to 1 (exclusive). */
    private static RandomGenerator always(double value) {
        return new RandomGenerator() {
            @Override
            public long nextLong() {
                throw new UnsupportedOperationException();
            }

            @Override
            public double nextDouble() {
                return value;
            }
        };
    }

    @ParameterizedTest(name = "after {0} requeues: {1}")
    @CsvSource({
        "0, PT30S",
        "1, PT1M",
        "2, PT2M",
        "3, PT4M",
        "4, PT8M",
        "5, PT10M",
        "6, PT10M",
        "63, PT10M",
        "64, PT10M",
        "100, PT10M"
    })
    void doublesUpToTheCap(int requeuesBefore, Duration term) {
        assertEquals(term, DEFAULT.delay(requeuesBefore, null, always(0)));
    }

    @ParameterizedTest(name = "after {0} requeues: {1} at most")
    @CsvSource({"0, PT36S", "1, PT72S", "2, PT144S", "5, PT12M", "100, PT12M"})
    void addsAFifthAtMost(int requeuesBefore, Duration longest) {
        Duration delay = DEFAULT.delay(requeuesBefore, null, always(Math.nextDown(1.0)));

        assertTrue(delay.compareTo(longest) <= 0, delay + " is longer than " + longest);
        assertTrue(longest.minus(delay).compareTo(Duration.ofMillis(1)) < 0, delay + " does not use the whole jitter");
    }

    @ParameterizedTest(name = "after {0} requeues and {1}: from {2} to {3}")
    @CsvSource({
        "0, PT10S, PT30S, PT36S",
        "0, PT30S, PT30S, PT36S",
        "0, PT31S, PT31S, PT37.2S",
        "2, PT1M, PT2M, PT144S",
        "5, PT10M, PT10M, PT12M",
        "5, PT1H, PT1H, PT72M",
        "0, PT0S, PT30S, PT36S"
    })
    void neverComesEarlierThanTheTermNorThanTheFailureAskedFor(
            int requeuesBefore, Duration retryAfter, Duration earliest, Duration latest) {
        RandomGenerator random = new SplittableRandom(20260301);
        for (int i = 0; i < 1_000; i++) {
            Duration delay = DEFAULT.delay(requeuesBefore, retryAfter, random);

            assertFalse(delay.compareTo(earliest) < 0, delay + " is too early");
            assertFalse(delay.compareTo(latest) > 0, delay + " is too late");
        }
    }

    @Test
    void spreadsWhatFailedTogetherOverMostOfTheJitter() {
        RandomGenerator random = new SplittableRandom(20260301);
        List<Duration> delays = IntStream.range(0, 500)
                .mapToObj(i -> DEFAULT.delay(1, null, random))
                .sorted()
                .toList();

        Duration spread = delays.get(499).minus(delays.get(0));

        assertTrue(spread.compareTo(Duration.ofSeconds(9)) >= 0, "15 % of a minute, not " + spread);
        assertTrue(delays.stream().distinct().count() > 490, "hardly any two are the same");
        for (int quarter = 0; quarter < 4; quarter++) {
            Duration from = Duration.ofSeconds(60).plus(Duration.ofSeconds(3).multipliedBy(quarter));
            long within = delays.stream()
                    .filter(delay ->
                            delay.compareTo(from) >= 0 && delay.compareTo(from.plus(Duration.ofSeconds(3))) < 0)
                    .count();
            assertTrue(within > 75, "only " + within + " of 500 from " + from);
        }
    }

    @Test
    void isTheSameForTheSameSeed() {
        assertEquals(DEFAULT.delay(2, null, new SplittableRandom(7)), DEFAULT.delay(2, null, new SplittableRandom(7)));
    }

    @Test
    void aBaseAboveTheCapIsCutToTheCap() {
        Backoff backoff = new Backoff(Duration.ofMinutes(20), Duration.ofMinutes(10));

        assertEquals(Duration.ofMinutes(10), backoff.delay(0, null, always(0)));
        assertEquals(Duration.ofMinutes(10), backoff.delay(9, null, always(0)));
    }
}
