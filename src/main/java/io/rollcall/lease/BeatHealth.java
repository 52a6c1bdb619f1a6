package io.rollcall.lease;

import java.util.concurrent.atomic.AtomicBoolean;

/** Whether beats were refused, or failed for want of the database, since the last note that they are accepted. */
final class BeatHealth {
    private final AtomicBoolean refused = new AtomicBoolean();

    void refused() {
        refused.set(true);
    }

    /** Starts anew; returns whether beats were refused until now. */
    boolean forgetRefusals() {
        return refused.getAndSet(false);
    }
}
