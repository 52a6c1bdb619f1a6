package io.rollcall.retry;

import java.time.Duration;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * How long to wait before trying again: base · 2^n up to a cap, plus up to 20 % jitter so that what failed together does
 * not come back together. Never shorter than the term without jitter, nor than what the failure itself asked for.
 *
 * @param base the first wait, positive
 * @param cap the longest wait before jitter
 */
public record Backoff(Duration base, Duration cap) {
    private static final double JITTER = 0.2;

    /**
     * The wait before the next attempt.
     *
     * @param requeuesBefore how often it was queued again before, from 0
     * @param retryAfter the least that the failure asked for; null: nothing
     */
    public Duration delay(int requeuesBefore, @Nullable Duration retryAfter, RandomGenerator random) {
        Duration term = term(requeuesBefore);
        Duration least = retryAfter != null && retryAfter.compareTo(term) > 0 ? retryAfter : term;
        return least.plusNanos((long) (least.toNanos() * JITTER * random.nextDouble()));
    }

    private Duration term(int requeuesBefore) {
        Duration term = base;
        for (int n = 0; n < requeuesBefore && term.compareTo(cap) < 0; n++) {
            term = term.multipliedBy(2);
        }
        return term.compareTo(cap) > 0 ? cap : term;
    }
}
