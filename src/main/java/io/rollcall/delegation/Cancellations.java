package io.rollcall.delegation;

import io.rollcall.error.ErrorCode;
import io.rollcall.error.RefusedException;
import io.rollcall.lease.Lease;
import io.rollcall.lease.LeaseRepository;
import io.rollcall.time.DatabaseClock;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.persistence.OptimisticLockException;
import jakarta.transaction.Transactional;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Calling work off: at once where nobody is at it, else by asking its agent to stop. */
@ApplicationScoped
public class Cancellations {
    private final DelegationRepository delegations;
    private final LeaseRepository leases;
    private final Ledger ledger;
    private final Details details;
    private final DatabaseClock clock;

    Cancellations(
            DelegationRepository delegations,
            LeaseRepository leases,
            Ledger ledger,
            Details details,
            DatabaseClock clock) {
        this.delegations = delegations;
        this.leases = leases;
        this.ledger = ledger;
        this.details = details;
        this.clock = clock;
    }

    /**
     * The answer to a cancellation.
     *
     * @param detail the delegation as it is now
     * @param settled whether it is cancelled by now; false: its agent is asked to stop
     */
    public record Cancellation(DelegationDetail detail, boolean settled) {}

    /**
     * Cancels what is queued or stuck; of what is in flight, asks its agent to stop within one lease time. Asked again,
     * nothing changes.
     *
     * @throws RefusedException {@code not-found}, or {@code invalid-transition} when it is completed or failed
     * @throws OptimisticLockException if others changed the delegation meanwhile; try again
     */
    @Transactional
    public Cancellation cancel(UUID id, @Nullable String note) {
        Delegation delegation = delegations.get(id);
        Evidence evidence = Evidence.ofOperator().with("note", note);
        switch (delegation.status()) {
            case COMPLETED, FAILED ->
                throw new RefusedException(
                                ErrorCode.INVALID_TRANSITION,
                                "The delegation is " + delegation.status().wireName() + " already.")
                        .with("delegationStatus", delegation.status().wireName());
            case QUEUED, STUCK -> {
                DelegationEvent event = delegation.cancel(null, evidence, clock.now());
                ledger.write(List.of(new Change(delegation, event)));
            }
            case DISPATCHED, IN_PROGRESS -> {
                if (delegation.cancelBy() == null) {
                    ask(delegation, evidence);
                }
            }
            case CANCELLED -> {
                // as asked for
            }
        }
        return new Cancellation(details.of(delegation), delegation.status() == DelegationStatus.CANCELLED);
    }

    private void ask(Delegation delegation, Evidence evidence) {
        Instant now = clock.now();
        Lease lease = leases.find(delegation.id())
                .orElseThrow(() -> new OptimisticLockException("The lease moved on: " + delegation.id()));
        DelegationEvent event = delegation.askCancel(now.plus(lease.leaseTime()), evidence, now);
        ledger.write(List.of(new Change(delegation, event)));
        if (!leases.askCancel(delegation.id(), lease.epoch())) {
            throw new OptimisticLockException("The lease moved on: " + delegation.id());
        }
    }
}
