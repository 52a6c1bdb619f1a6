package io.rollcall.delegation;

import io.rollcall.error.ErrorCode;
import io.rollcall.error.RefusedException;
import io.rollcall.lease.Beat;
import io.rollcall.lease.BeatRepository;
import io.rollcall.lease.Lease;
import io.rollcall.lease.LeaseRepository;
import io.rollcall.lease.Renewal;
import io.rollcall.time.DatabaseClock;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.persistence.OptimisticLockException;
import jakarta.transaction.Transactional;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What agents say when their run has ended and its finalization begins. */
@ApplicationScoped
public class Outcomes {
    private final DelegationRepository delegations;
    private final LeaseRepository leases;
    private final BeatRepository beats;
    private final LateReports lateReports;
    private final Ledger ledger;
    private final DatabaseClock clock;

    Outcomes(
            DelegationRepository delegations,
            LeaseRepository leases,
            BeatRepository beats,
            LateReports lateReports,
            Ledger ledger,
            DatabaseClock clock) {
        this.delegations = delegations;
        this.leases = leases;
        this.beats = beats;
        this.lateReports = lateReports;
        this.ledger = ledger;
        this.clock = clock;
    }

    /**
     * The end of a run.
     *
     * @param delegationId of which delegation
     * @param epoch under which epoch; null where no other attempt can ever be
     * @param exitCode 0 where it succeeded
     * @param note for people, up to 1,000 characters
     * @param body the whole of it as JSON in canonical form
     */
    public record RunEnd(
            UUID delegationId,
            @Nullable Long epoch,
            int exitCode,
            @Nullable String note,
            String body) {}

    /**
     * An outcome that stands.
     *
     * @param delegation as it is now
     * @param outcome what stands
     * @param renewal what it did to the lease: as a heartbeat; null where the same outcome came again and all is over
     * @param now the database's clock
     */
    public record Recorded(
            Delegation delegation,
            Outcome outcome,
            @Nullable Renewal renewal,
            Instant now) {}

    /**
     * Records an outcome, once for each attempt, and renews the lease as a heartbeat would. The same outcome again is
     * another heartbeat, or where the delegation is final nothing at all.
     *
     * @throws RefusedException {@code not-found}, {@code epoch-required}, {@code lease-lost}, or
     *     {@code invalid-transition} where it is final or another outcome stands; of the last two, what came is kept in
     *     the history
     * @throws OptimisticLockException if others changed the delegation meanwhile; try again
     */
    @Transactional(dontRollbackOn = LateReportException.class)
    public Recorded record(RunEnd end) {
        Delegation delegation = delegations.get(end.delegationId());
        long epoch = AgentEpoch.of(delegation, end.epoch());
        Instant now = clock.now();
        Lease lease = leases.find(end.delegationId()).orElse(null);
        boolean holds = lease != null && lease.epoch() == epoch;
        Outcome known = delegation.epoch() == epoch ? delegation.outcome() : null;
        if (known != null && isSame(known, end)) {
            return new Recorded(
                    delegation, known, holds ? beats.renew(Beat.plain(delegation.id(), epoch, null)) : null, now);
        }
        if (lease == null || !holds || known != null) {
            throw late(delegation, holds, epoch, end, now);
        }
        Outcome outcome = new Outcome(end.exitCode(), end.note(), now, false);
        List<Change> changes = begin(delegation, lease, now);
        Evidence evidence = Evidence.ofAgent(lease.holder()).with("note", outcome.note());
        changes.add(new Change(delegation, delegation.recordOutcome(outcome, evidence, now)));
        Renewal renewal = write(lease, changes, null);
        return new Recorded(delegation, outcome, renewal, now);
    }

    /** Keeps a success that was reported, for the gate to judge, in the same way. */
    void hold(Delegation delegation, Lease lease, Outcome outcome, Report report, Instant now) {
        List<Change> changes = begin(delegation, lease, now);
        Evidence evidence = Evidence.ofAgent(lease.holder()).with("note", report.note());
        changes.add(new Change(delegation, delegation.holdForGate(outcome, report.result(), evidence, now)));
        write(lease, changes, report.progress());
    }

    /** What happens before the outcome of one whose first sign of life it is. */
    private static List<Change> begin(Delegation delegation, Lease lease, Instant now) {
        List<Change> changes = new ArrayList<>();
        if (delegation.status() == DelegationStatus.DISPATCHED) {
            changes.add(new Change(delegation, delegation.begin(Evidence.ofAgent(lease.holder()), now)));
        }
        return changes;
    }

    /** Delegation and history first, then the lease, for which it counts as a beat. */
    private Renewal write(Lease lease, List<Change> changes, @Nullable Double progress) {
        ledger.write(changes);
        Renewal renewal = beats.renew(Beat.plain(lease.delegationId(), lease.epoch(), progress));
        leases.recordOutcome(lease.delegationId(), lease.epoch());
        return renewal;
    }

    private static boolean isSame(Outcome known, RunEnd end) {
        return known.exitCode() == end.exitCode() && Objects.equals(known.note(), end.note());
    }

    private LateReportException late(Delegation delegation, boolean holds, long epoch, RunEnd end, Instant now) {
        boolean impossible = holds || delegation.status().isFinal();
        ErrorCode code = impossible ? ErrorCode.INVALID_TRANSITION : ErrorCode.LEASE_LOST;
        lateReports.keep(delegation, epoch, "outcome", end.body(), code.wireName(), now);
        String detail = !impossible
                ? "The lease with epoch " + epoch + " is lost; the outcome was kept but changes nothing."
                : holds
                        ? "Another outcome of this attempt stands already."
                        : "The delegation is " + delegation.status().wireName() + " already.";
        return new LateReportException(code, detail, delegation);
    }
}
