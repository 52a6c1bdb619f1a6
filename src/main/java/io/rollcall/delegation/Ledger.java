package io.rollcall.delegation;

import io.micrometer.core.instrument.MeterRegistry;
import io.rollcall.lease.LeaseRepository;
import io.rollcall.queue.Waiters;
import io.rollcall.tx.AfterCommit;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.persistence.OptimisticLockException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * Writes what has happened, in the order in which everything is locked: the versioned rows, then their leases, then the
 * history. Part of the caller's transaction; whoever lost the race for a row fails here, before anything else is written.
 */
@ApplicationScoped
public class Ledger {
    private final DelegationRepository delegations;
    private final LeaseRepository leases;
    private final EventRepository events;
    private final AttemptReportRepository reports;
    private final FollowUps followUps;
    private final Waiters waiters;
    private final AfterCommit afterCommit;
    private final MeterRegistry meters;

    Ledger(
            DelegationRepository delegations,
            LeaseRepository leases,
            EventRepository events,
            AttemptReportRepository reports,
            FollowUps followUps,
            Waiters waiters,
            AfterCommit afterCommit,
            MeterRegistry meters) {
        this.delegations = delegations;
        this.leases = leases;
        this.events = events;
        this.reports = reports;
        this.followUps = followUps;
        this.waiters = waiters;
        this.afterCommit = afterCommit;
        this.meters = meters;
    }

    /**
     * Writes changes, and registers what follows those that are completions: whoever completes a delegation, and however.
     *
     * @throws OptimisticLockException if another transaction changed one of the delegations, or its lease, in between
     */
    public void write(List<Change> changes) {
        delegations.flush();
        Map<UUID, Long> ended = new HashMap<>();
        Map<UUID, Long> stuck = new HashMap<>();
        for (Change change : changes) {
            DelegationStatus from = change.event().from();
            Delegation delegation = change.delegation();
            if (from == null || !from.holdsLease() || change.event().to() == null) {
                continue;
            }
            if (!delegation.status().holdsLease()) {
                ended.put(delegation.id(), delegation.epoch());
            } else if (delegation.status() == DelegationStatus.STUCK) {
                stuck.put(delegation.id(), delegation.epoch());
            }
        }
        guard(ended, ended.isEmpty() ? 0 : leases.end(ended));
        guard(stuck, stuck.isEmpty() ? 0 : leases.stick(stuck));
        List<Change> all = new ArrayList<>(changes);
        all.addAll(followUps.addAll(changes));
        events.append(all.stream().map(Change::event).toList());
        changes.forEach(this::settleReport);
        afterCommit.run(() -> all.forEach(this::tell));
    }

    /** A report that waited for its gate is answered from now on with what came of its attempt. */
    private void settleReport(Change change) {
        Delegation delegation = change.delegation();
        DelegationStatus from = change.event().from();
        boolean attemptEnded = from != null
                && from.holdsLease()
                && change.event().to() != null
                && !delegation.status().holdsLease();
        if (attemptEnded && delegation.terms().gate() != null) {
            Disposition disposition = Disposition.of(DelegationStatus.COMPLETED, delegation.status());
            reports.settle(delegation.id(), delegation.epoch(), disposition);
        }
    }

    /** What others learn of a change once it is committed: the monitoring, and who waits for work or for a free place. */
    private void tell(Change change) {
        count(change.event());
        String queue = change.delegation().terms().queue();
        DelegationStatus from = change.event().from();
        boolean arrived = change.event().to() == DelegationStatus.QUEUED;
        boolean madeRoom = from != null
                && from.isInFlight()
                && !change.delegation().status().isInFlight();
        if (queue != null && (arrived || madeRoom)) {
            waiters.wake(queue, 1);
        }
    }

    private void count(DelegationEvent event) {
        if (event.to() != null) {
            meters.counter(
                            "rollcall_transitions",
                            "from",
                            event.from() == null ? "none" : event.from().wireName(),
                            "to",
                            event.to().wireName(),
                            "reason",
                            event.reason() == null ? "none" : event.reason().wireName())
                    .increment();
        }
    }

    private static void guard(Map<UUID, Long> expected, int written) {
        if (written != expected.size()) {
            throw new OptimisticLockException("A lease moved on: " + expected);
        }
    }
}
