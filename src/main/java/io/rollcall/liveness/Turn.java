package io.rollcall.liveness;

import java.time.Duration;

/**
 * How often a dead answer counts: once an interval, whoever gave it. Whoever gave the last one that counted goes on with
 * its next tick, even if that comes a little early; another has to wait for a full interval.
 *
 * @param prober who counts
 * @param own the least time between two that count, both of this prober
 * @param others the least time after one that counted of another
 */
public record Turn(String prober, Duration own, Duration others) {
    /** A regular tick, one of many that come once an interval. */
    public static Turn ofTick(String prober, Duration interval) {
        return new Turn(prober, interval.dividedBy(2), interval);
    }

    /** On demand, at any time. */
    public static Turn onDemand(String prober, Duration interval) {
        return new Turn(prober, interval, interval);
    }
}
