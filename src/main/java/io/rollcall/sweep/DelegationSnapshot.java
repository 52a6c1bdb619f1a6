package io.rollcall.sweep;

import io.rollcall.delegation.Aftermath;
import io.rollcall.delegation.Delegation;
import io.rollcall.delegation.DelegationStatus;
import io.rollcall.delegation.GateVerdict;
import io.rollcall.delegation.Outcome;
import io.rollcall.delegation.Reason;
import io.rollcall.delegation.Recovery;
import io.rollcall.lease.Lease;
import io.rollcall.liveness.DeadHolder;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What the rules judge one delegation by, as it was read under its lock.
 *
 * @param status where it stands
 * @param recovery what becomes of it when an attempt goes wrong
 * @param hasBudget whether it may be queued once more
 * @param deadlineAt when it is given up
 * @param availableAt when it last became claimable; null where it never was
 * @param queueTimeout how long it may wait; null: until its deadline
 * @param maxRunning how long one attempt may last; null: until its deadline
 * @param cancelBy when it ends although its agent does not heed the cancellation; null: none was asked for
 * @param outcome what the run of its attempt ended with; null while it goes on
 * @param awaitsGate whether its gate decides if it counts as completed
 * @param gateVerdict what the gate has said; null where it has not been asked, or has not answered
 * @param lease the hold on it; null where there is none
 * @param dead that its agent was found dead as often as is needed; null where it was not
 */
record DelegationSnapshot(
        DelegationStatus status,
        Recovery recovery,
        boolean hasBudget,
        Instant deadlineAt,
        @Nullable Instant availableAt,
        @Nullable Duration queueTimeout,
        @Nullable Duration maxRunning,
        @Nullable Instant cancelBy,
        @Nullable Outcome outcome,
        boolean awaitsGate,
        @Nullable GateVerdict gateVerdict,
        @Nullable Lease lease,
        @Nullable DeadHolder dead) {

    static DelegationSnapshot of(
            Delegation delegation,
            @Nullable Lease lease,
            @Nullable GateVerdict gateVerdict,
            @Nullable DeadHolder dead) {
        return new DelegationSnapshot(
                delegation.status(),
                delegation.recoveryNow(),
                delegation.hasBudget(),
                delegation.deadlineAt(),
                delegation.availableAt(),
                delegation.terms().queueTimeout(),
                delegation.terms().maxRunning(),
                delegation.cancelBy(),
                delegation.outcome(),
                delegation.awaitsGate(),
                gateVerdict,
                lease,
                dead);
    }

    /** What becomes of it where its agent is taken for lost: silent for too long, or found dead. */
    Verdict lost(Reason cause) {
        return new Verdict.Lost(Aftermath.of(recovery, true, isRepeatable(), hasBudget), cause);
    }

    /** Whether another attempt does no harm: the agent is not at what must not be done twice. */
    boolean isRepeatable() {
        return lease == null || !lease.nonIdempotent();
    }
}
