package io.rollcall.delegation;

import java.util.Locale;

/** What an accepted report led to. */
public enum Disposition {
    /** The delegation is final. */
    SETTLED,
    /** It is queued again, at the cost of its budget. */
    REQUEUED,
    /** It is queued again, at no cost. */
    RELEASED,
    /** Whether it counts is for its gate to say. */
    PENDING;

    /** The word in the API and in the database. */
    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** What an end that left the delegation in a status was, for a report of another. */
    static Disposition of(DelegationStatus reported, DelegationStatus now) {
        if (now.isFinal()) {
            return SETTLED;
        }
        return reported == DelegationStatus.QUEUED ? RELEASED : REQUEUED;
    }
}
