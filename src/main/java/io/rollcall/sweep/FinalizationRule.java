package io.rollcall.sweep;

import io.rollcall.delegation.Aftermath;
import io.rollcall.delegation.GateVerdict;
import io.rollcall.delegation.Mishap;
import io.rollcall.delegation.Outcome;
import io.rollcall.delegation.Reason;
import io.rollcall.lease.Lease;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Rule 4: an attempt whose run has ended is given time to finalize, as long as it is heard of, and no rule below touches
 * it. After that its exit code decides, and where that is good, its gate. One that was reported as completed waits only
 * for its gate, without a grace.
 */
@Singleton
class FinalizationRule implements SweepRule {
    private final Duration grace;

    FinalizationRule(SweepConfig config) {
        this.grace = config.finalizationGrace();
    }

    @Override
    public RuleName name() {
        return RuleName.FINALIZATION;
    }

    @Override
    public Optional<Instant> dueAt(DelegationSnapshot delegation) {
        Outcome outcome = delegation.outcome();
        Lease lease = delegation.lease();
        if (outcome == null || lease == null || (delegation.awaitsGate() && delegation.gateVerdict() == null)) {
            return Optional.empty();
        }
        return outcome.reported()
                ? Optional.of(outcome.at())
                : Stream.of(outcome.at(), lease.lastBeatAt(), lease.returnedAt())
                        .filter(Objects::nonNull)
                        .max(Comparator.naturalOrder())
                        .map(lastHeardOf -> lastHeardOf.plus(grace));
    }

    @Override
    public Verdict decide(DelegationSnapshot delegation) {
        Outcome outcome = Objects.requireNonNull(delegation.outcome());
        GateVerdict gate = delegation.awaitsGate() ? delegation.gateVerdict() : null;
        if (outcome.exitCode() == 0 && (gate == null || gate.passed())) {
            return new Verdict.Completed();
        }
        // an agent that has reported is at nothing any more, whatever its last beat said
        boolean repeatable = outcome.reported() || delegation.isRepeatable();
        Aftermath aftermath = Aftermath.of(delegation.recovery(), false, repeatable, delegation.hasBudget());
        return new Verdict.Failed(
                aftermath, gate == null ? new Mishap(Reason.FINALIZATION_TIMEOUT, true, null) : gate.mishap());
    }

    @Override
    public boolean protects(DelegationSnapshot delegation) {
        return delegation.outcome() != null && delegation.lease() != null;
    }

    @Override
    public Hearing needs() {
        return Hearing.DOUBTFUL;
    }
}
