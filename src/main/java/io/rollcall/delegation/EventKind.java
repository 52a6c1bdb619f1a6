package io.rollcall.delegation;

import java.util.Locale;

/** The kinds of lines in a delegation's history. */
public enum EventKind {
    /** It was registered. */
    REGISTERED,
    /** Its status changed. */
    TRANSITION,
    /** A step of the agent's run. */
    STEP,
    /** The agent's run ended; finalization goes on. */
    OUTCOME,
    /** Somebody asked for its end. */
    CANCEL_REQUESTED,
    /** A report of an agent that was refused, kept with its payload. */
    LATE_REPORT,
    /** Something an operator did that changed no status. */
    OPERATOR;

    /** The word in the API and in the database. */
    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }
}
