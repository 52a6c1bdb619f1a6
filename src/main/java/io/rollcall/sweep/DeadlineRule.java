package io.rollcall.sweep;

import io.rollcall.delegation.Reason;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.util.Optional;

/** Rule 2: whatever is open at its deadline is given up. Waits for nobody, also while we were away. */
@Singleton
class DeadlineRule implements SweepRule {
    @Override
    public RuleName name() {
        return RuleName.DEADLINE;
    }

    @Override
    public Optional<Instant> dueAt(DelegationSnapshot delegation) {
        return Optional.of(delegation.deadlineAt());
    }

    @Override
    public Verdict decide(DelegationSnapshot delegation) {
        return new Verdict.GivenUp(Reason.DEADLINE_EXCEEDED, "deadline exceeded by sweeper");
    }

    @Override
    public Hearing needs() {
        return Hearing.NONE;
    }
}
