package io.rollcall.sweep;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;

/**
 * What one sweep did.
 *
 * @param startedAt when it began, by the database's clock
 * @param duration how long it took
 * @param replica which replica swept
 * @param origin {@code tick} or {@code operator}
 * @param dryRun whether it only judged
 * @param forced whether it was told to ignore the brake
 * @param braked whether the brake held back
 * @param verdicts delegations per verdict, and named leases that were reclaimed; zeros included
 * @param conflicts candidates that somebody else changed first, or was changing
 * @param errors rows that could not be judged or written, and batches that failed for want of the database
 * @param heldBack stale leases left alone, because of the brake or because beats were not being accepted
 */
public record SweepReport(
        Instant startedAt,
        Duration duration,
        String replica,
        String origin,
        boolean dryRun,
        boolean forced,
        boolean braked,
        Map<VerdictName, Integer> verdicts,
        int conflicts,
        int errors,
        int heldBack) {}
