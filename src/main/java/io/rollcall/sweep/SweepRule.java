package io.rollcall.sweep;

import java.time.Instant;
import java.util.Optional;

/** What the passage of time does to one delegation: a pure function that reads no clock and no database. */
interface SweepRule {
    /** Which rule this is. */
    RuleName name();

    /** The first instant at which this rule would change something; empty if it never would. */
    Optional<Instant> dueAt(DelegationSnapshot delegation);

    /** What then happens. Asked only once {@link #dueAt} has come. */
    Verdict decide(DelegationSnapshot delegation);

    /** Whether it keeps one from every later rule, also while it does not decide itself. */
    default boolean protects(DelegationSnapshot delegation) {
        return false;
    }

    /** How well agents must be heard for it to act. */
    Hearing needs();
}
