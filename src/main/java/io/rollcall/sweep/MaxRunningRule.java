package io.rollcall.sweep;

import io.rollcall.delegation.Aftermath;
import io.rollcall.delegation.Mishap;
import io.rollcall.delegation.Reason;
import io.rollcall.lease.Lease;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.util.Optional;

/**
 * Rule 5: the run of an attempt may last so long, counted from its acquisition, however lively its agent beats. Waits for
 * nobody, also while we were away.
 */
@Singleton
class MaxRunningRule implements SweepRule {
    @Override
    public RuleName name() {
        return RuleName.MAX_RUNNING;
    }

    @Override
    public Optional<Instant> dueAt(DelegationSnapshot delegation) {
        Lease lease = delegation.lease();
        boolean running = delegation.status().isInFlight() && delegation.outcome() == null;
        return running && lease != null && delegation.maxRunning() != null
                ? Optional.of(lease.acquiredAt().plus(delegation.maxRunning()))
                : Optional.empty();
    }

    @Override
    public Verdict decide(DelegationSnapshot delegation) {
        Aftermath aftermath =
                Aftermath.of(delegation.recovery(), false, delegation.isRepeatable(), delegation.hasBudget());
        return new Verdict.Failed(aftermath, new Mishap(Reason.MAX_RUNNING_EXCEEDED, true, null));
    }

    @Override
    public Hearing needs() {
        return Hearing.NONE;
    }
}
