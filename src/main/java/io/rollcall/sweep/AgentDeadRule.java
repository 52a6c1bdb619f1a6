package io.rollcall.sweep;

import io.rollcall.delegation.Reason;
import io.rollcall.liveness.DeadHolder;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.util.Optional;

/**
 * Rule 6: an agent whose probe said often enough that it is dead is taken for lost, as if it had gone stale. It waits for
 * good hearing as well: a beat that could not reach us would have shown that it lives.
 */
@Singleton
class AgentDeadRule implements SweepRule {
    @Override
    public RuleName name() {
        return RuleName.AGENT_DEAD;
    }

    @Override
    public Optional<Instant> dueAt(DelegationSnapshot delegation) {
        return delegation.status().isInFlight()
                ? Optional.ofNullable(delegation.dead()).map(DeadHolder::countedAt)
                : Optional.empty();
    }

    @Override
    public Verdict decide(DelegationSnapshot delegation) {
        return delegation.lost(Reason.AGENT_DEAD);
    }

    @Override
    public Hearing needs() {
        return Hearing.GOOD;
    }
}
