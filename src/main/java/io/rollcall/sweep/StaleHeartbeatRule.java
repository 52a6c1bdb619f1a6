package io.rollcall.sweep;

import io.rollcall.delegation.Reason;
import io.rollcall.lease.Lease;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/**
 * Rule 7: an agent that stopped beating is taken for lost, strictly after the lease went stale. What it was doing that
 * must not be done twice is not tried again.
 */
@Singleton
class StaleHeartbeatRule implements SweepRule {
    @Override
    public RuleName name() {
        return RuleName.STALE_HEARTBEAT;
    }

    @Override
    public Optional<Instant> dueAt(DelegationSnapshot delegation) {
        Lease lease = delegation.lease();
        return delegation.status().isInFlight() && lease != null
                ? Optional.ofNullable(lease.staleAt()).map(staleAt -> staleAt.plus(1, ChronoUnit.MICROS))
                : Optional.empty();
    }

    @Override
    public Verdict decide(DelegationSnapshot delegation) {
        return delegation.lost(Reason.HEARTBEAT_STALE);
    }

    @Override
    public Hearing needs() {
        return Hearing.GOOD;
    }
}
