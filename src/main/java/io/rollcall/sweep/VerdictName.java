package io.rollcall.sweep;

import io.rollcall.delegation.DelegationStatus;
import java.util.Locale;

/** The words by which reports count what became of delegations, and of named leases. */
public enum VerdictName {
    /** Settled by its gate. */
    COMPLETED,
    /** Given up. */
    FAILED,
    /** Called off. */
    CANCELLED,
    /** Left to an operator. */
    STUCK,
    /** Put back into its queue. */
    REQUEUED,
    /** A named lease that was free although nobody released it. */
    RECLAIMED;

    /** The word in the API, in logs and in metrics. */
    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }

    static VerdictName of(DelegationStatus after) {
        return switch (after) {
            case COMPLETED -> COMPLETED;
            case FAILED -> FAILED;
            case CANCELLED -> CANCELLED;
            case STUCK -> STUCK;
            case QUEUED -> REQUEUED;
            case DISPATCHED, IN_PROGRESS -> throw new IllegalArgumentException("No verdict leads to " + after);
        };
    }
}
