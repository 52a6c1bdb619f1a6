package io.rollcall.sweep;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Counts what a sweep does, batch by batch. */
final class SweepTally {
    private final Map<VerdictName, Integer> verdicts = new EnumMap<>(VerdictName.class);
    private final List<Duration> lags = new ArrayList<>();
    private int conflicts;
    private int errors;
    private int heldBack;

    SweepTally() {
        for (VerdictName verdict : VerdictName.values()) {
            verdicts.put(verdict, 0);
        }
    }

    /** One delegation was judged, and so long after the rule came to match. */
    void judged(VerdictName verdict, Duration lag) {
        verdicts.merge(verdict, 1, Integer::sum);
        lags.add(lag);
    }

    /** Some named leases were reclaimed. */
    void reclaimed(int leases) {
        verdicts.merge(VerdictName.RECLAIMED, leases, Integer::sum);
    }

    void conflicts(int rows) {
        conflicts += rows;
    }

    void error() {
        errors++;
    }

    void heldBack(long rows) {
        heldBack += (int) Math.min(rows, Integer.MAX_VALUE);
    }

    /** Adds what one batch, committed by now, has counted. */
    void add(SweepTally batch) {
        batch.verdicts.forEach((verdict, rows) -> verdicts.merge(verdict, rows, Integer::sum));
        conflicts += batch.conflicts;
        errors += batch.errors;
        heldBack += batch.heldBack;
    }

    Map<VerdictName, Integer> verdicts() {
        return verdicts;
    }

    List<Duration> lags() {
        return lags;
    }

    int conflicts() {
        return conflicts;
    }

    int errors() {
        return errors;
    }

    int heldBack() {
        return heldBack;
    }

    boolean didSomething() {
        return errors > 0 || heldBack > 0 || verdicts.values().stream().anyMatch(rows -> rows > 0);
    }
}
