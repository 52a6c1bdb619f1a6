package io.rollcall.resource;

import io.rollcall.delegation.DelegationEvent;
import io.rollcall.delegation.DelegationRepository;
import io.rollcall.delegation.EventKind;
import io.rollcall.delegation.EventRepository;
import io.rollcall.delegation.Evidence;
import io.rollcall.error.RefusedException;
import io.rollcall.time.DatabaseClock;
import io.rollcall.tx.AfterCommit;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.persistence.OptimisticLockException;
import jakarta.transaction.Transactional;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Taking a lease away from its holder: an operator's decision, written into the history of what it is tied to. */
@ApplicationScoped
public class ForcedReleases {
    private static final Logger LOG = Logger.getLogger(ForcedReleases.class);

    private final ResourceLeaseRepository leases;
    private final DelegationRepository delegations;
    private final EventRepository events;
    private final DatabaseClock clock;
    private final AfterCommit afterCommit;
    private final ResourceMeters meters;

    ForcedReleases(
            ResourceLeaseRepository leases,
            DelegationRepository delegations,
            EventRepository events,
            DatabaseClock clock,
            AfterCommit afterCommit,
            ResourceMeters meters) {
        this.leases = leases;
        this.delegations = delegations;
        this.events = events;
        this.clock = clock;
        this.afterCommit = afterCommit;
        this.meters = meters;
    }

    /**
     * Ends a lease whoever holds it. One that is free already is no error.
     *
     * @param epoch only if it is held under this one; null: any
     * @throws RefusedException {@code lease-lost} if it is held under another epoch
     * @throws OptimisticLockException if it was tied to something else meanwhile; try again
     */
    @Transactional
    public void release(String name, @Nullable Long epoch) {
        ResourceLease seen = leases.find(name).orElse(null);
        if (seen == null) {
            return;
        }
        UUID delegationId = seen.delegationId();
        if (delegationId != null) {
            delegations.lockRow(delegationId); // before the lease, as everywhere
        }
        ResourceLease lease = leases.lock(name).filter(ResourceLease::isHeld).orElse(null);
        if (lease == null) {
            return;
        }
        if (epoch != null && lease.epoch() != epoch) {
            throw ResourceLeases.lost(name, epoch, lease);
        }
        if (!Objects.equals(lease.delegationId(), delegationId)) {
            throw new OptimisticLockException("Acquired anew meanwhile: " + name);
        }
        leases.delete(name);
        audit(lease);
    }

    private void audit(ResourceLease lease) {
        if (lease.delegationId() != null) {
            events.append(List.of(event(lease, lease.delegationId())));
        }
        meters.count("forced");
        afterCommit.run(() -> LOG.infof(
                "An operator took the lease on %s with epoch %d away from %s.",
                lease.name(), lease.epoch(), lease.holder()));
    }

    private DelegationEvent event(ResourceLease lease, UUID delegationId) {
        Evidence evidence = Evidence.ofOperator()
                .with("releasedLease", lease.name())
                .with("leaseHolder", lease.holder())
                .with("leaseEpoch", lease.epoch());
        return new DelegationEvent(
                delegationId,
                clock.now(),
                EventKind.OPERATOR,
                null,
                null,
                null,
                null,
                lease.delegationEpoch(),
                evidence.actor(),
                null,
                evidence.inputs());
    }
}
