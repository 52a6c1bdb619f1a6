package io.rollcall.sweep;

import io.rollcall.delegation.DelegationStatus;
import io.rollcall.delegation.Reason;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.util.Optional;

/** Rule 3: what nobody claimed in time, counted from when it last became claimable, is given up. */
@Singleton
class QueueTimeoutRule implements SweepRule {
    @Override
    public RuleName name() {
        return RuleName.QUEUE_TIMEOUT;
    }

    @Override
    public Optional<Instant> dueAt(DelegationSnapshot delegation) {
        return delegation.status() == DelegationStatus.QUEUED
                        && delegation.queueTimeout() != null
                        && delegation.availableAt() != null
                ? Optional.of(delegation.availableAt().plus(delegation.queueTimeout()))
                : Optional.empty();
    }

    @Override
    public Verdict decide(DelegationSnapshot delegation) {
        return new Verdict.GivenUp(Reason.QUEUE_TIMEOUT, "not claimed within its queue timeout");
    }

    @Override
    public Hearing needs() {
        return Hearing.NONE;
    }
}
