package io.rollcall.sweep;

import io.rollcall.lease.Lease;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.util.Optional;

/**
 * Rule 1: an agent that was asked to stop and did not, or does not beat, is ended. Where it could not be reached because
 * we were away, it gets one lease time from our return.
 */
@Singleton
class CancelRule implements SweepRule {
    @Override
    public RuleName name() {
        return RuleName.CANCEL;
    }

    @Override
    public Optional<Instant> dueAt(DelegationSnapshot delegation) {
        Instant cancelBy = delegation.cancelBy();
        Lease lease = delegation.lease();
        if (cancelBy == null || lease == null) {
            return Optional.empty();
        }
        Instant excusedUntil = lease.excusedUntil();
        return Optional.of(excusedUntil != null && excusedUntil.isAfter(cancelBy) ? excusedUntil : cancelBy);
    }

    @Override
    public Verdict decide(DelegationSnapshot delegation) {
        return new Verdict.CalledOff();
    }

    @Override
    public Hearing needs() {
        return Hearing.DOUBTFUL;
    }
}
