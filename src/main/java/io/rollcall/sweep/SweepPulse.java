package io.rollcall.sweep;

import jakarta.inject.Singleton;
import java.time.Duration;

/** Whether this replica's scheduler still ticks, and its sweep still moves: measured by the process's own clock. */
@Singleton
public class SweepPulse {
    private volatile long lastTickNanos = System.nanoTime();
    private volatile long lastProgressNanos = System.nanoTime();
    private volatile boolean underWay;

    void tickBegins() {
        lastTickNanos = System.nanoTime();
        lastProgressNanos = lastTickNanos;
        underWay = true;
    }

    void progressed() {
        lastProgressNanos = System.nanoTime();
    }

    void tickEnds() {
        underWay = false;
    }

    /** How long ago the last tick began, or the process started. */
    public Duration sinceLastTick() {
        return Duration.ofNanos(System.nanoTime() - lastTickNanos);
    }

    /** How long the tick that is under way has made no progress; zero if none is. */
    public Duration withoutProgress() {
        return underWay ? Duration.ofNanos(System.nanoTime() - lastProgressNanos) : Duration.ZERO;
    }
}
