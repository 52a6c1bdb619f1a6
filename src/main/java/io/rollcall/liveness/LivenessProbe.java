package io.rollcall.liveness;

/** One way of finding out whether a holder is alive. */
interface LivenessProbe {
    /** The answer; {@link Liveness#UNKNOWN} for what it knows nothing about, and wherever anything goes wrong. */
    Liveness ask(Probe probe);
}
