package io.rollcall.resource;

import io.rollcall.delegation.Delegation;
import io.rollcall.delegation.DelegationRepository;
import io.rollcall.error.ErrorCode;
import io.rollcall.error.RefusedException;
import io.rollcall.error.Violation;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.transaction.Transactional;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Acquiring, renewing and releasing named locks. Never two hold one name; whoever lost it is told by its epoch. */
@ApplicationScoped
public class ResourceLeases {
    private final ResourceLeaseRepository leases;
    private final DelegationRepository delegations;
    private final ResourceMeters meters;

    ResourceLeases(ResourceLeaseRepository leases, DelegationRepository delegations, ResourceMeters meters) {
        this.leases = leases;
        this.delegations = delegations;
        this.meters = meters;
    }

    /**
     * A lease that its holder has now.
     *
     * @param lease what it is now
     * @param isNew whether it was acquired by this very request
     */
    public record Granted(ResourceLease lease, boolean isNew) {}

    /**
     * Acquires a lease that is free, under a new epoch. The request that acquired it gets it again, as it is, while it is
     * held.
     *
     * @throws RefusedException {@code lease-held} with its holder, {@code lease-lost} where the attempt that it was to be
     *     tied to has ended, {@code not-found} where there is no such delegation
     */
    @Transactional
    public Granted acquire(ResourceRequest request) {
        Long attempt =
                request.delegationId() == null ? null : attempt(request.delegationId(), request.delegationEpoch());
        leases.lockName(request.name());
        ResourceLease present = leases.lock(request.name()).orElse(null);
        if (present != null && present.isHeld()) {
            if (request.acquired(present)) {
                return new Granted(present, false);
            }
            throw held(present);
        }
        leases.acquire(request, attempt);
        meters.count("acquired");
        return new Granted(leases.find(request.name()).orElseThrow(), true);
    }

    /**
     * Renews a lease from now on. It stays tied as it was acquired.
     *
     * @throws RefusedException {@code lease-lost} unless it is held by that holder under that epoch, {@code
     *     invalid-request} if it names another attempt than the one it is tied to
     */
    @Transactional
    public ResourceLease renew(ResourceRequest request, long epoch) {
        ResourceLease lease = leases.lock(request.name()).orElse(null);
        if (lease == null
                || !lease.isHeld()
                || lease.epoch() != epoch
                || !lease.holder().equals(request.holder())) {
            throw lost(request.name(), epoch, lease);
        }
        if (!request.leavesTied(lease)) {
            throw new RefusedException(ErrorCode.INVALID_REQUEST, "A renewal does not tie a lease anew.")
                    .with(
                            "violations",
                            List.of(new Violation("delegationId", "must be that of the acquisition, or left out")));
        }
        leases.renew(request, epoch);
        meters.count("renewed");
        return leases.find(request.name()).orElseThrow();
    }

    /**
     * Gives a lease back. One that is gone already is no error.
     *
     * @throws RefusedException {@code lease-lost} if it is held under another epoch
     */
    @Transactional
    public void release(String name, long epoch) {
        ResourceLease lease = leases.lock(name).orElse(null);
        if (lease == null) {
            return;
        }
        if (lease.epoch() == epoch) {
            leases.delete(name);
            meters.count("released");
        } else if (lease.isHeld()) {
            throw lost(name, epoch, lease);
        }
    }

    /** The one of that name, if it is held. */
    @Transactional
    public ResourceLease get(String name) {
        return leases.find(name)
                .filter(ResourceLease::isHeld)
                .orElseThrow(() -> new RefusedException(ErrorCode.NOT_FOUND, "Nobody holds a lease on " + name + "."));
    }

    /** Up to {@code limit} that are held, by name, after a given one. */
    @Transactional
    public List<ResourceLease> page(String after, int limit) {
        return leases.findHeld(after, limit);
    }

    /** The attempt that a lease is tied to: it cannot end before this transaction does. */
    private long attempt(UUID delegationId, @Nullable Long wanted) {
        Long present = leases.lockAttempt(delegationId).orElse(null);
        if (present != null && (wanted == null || wanted.equals(present))) {
            return present;
        }
        Delegation delegation = delegations.get(delegationId);
        throw new RefusedException(
                        ErrorCode.LEASE_LOST,
                        "The delegation " + delegationId + " has no such attempt any more: it is "
                                + delegation.status().wireName() + ".")
                .with("delegationStatus", delegation.status().wireName())
                .with("epoch", delegation.epoch());
    }

    private static RefusedException held(ResourceLease lease) {
        return new RefusedException(
                        ErrorCode.LEASE_HELD, lease.holder() + " holds " + lease.name() + " for the time being.")
                .with("holder", lease.holder())
                .with("expiresAt", lease.expiresAt())
                .with("epoch", lease.epoch());
    }

    /** Tells a holder that it has lost a lease, and who has it now if anybody has. */
    static RefusedException lost(String name, long epoch, @Nullable ResourceLease present) {
        RefusedException lost = new RefusedException(
                ErrorCode.LEASE_LOST, "The lease on " + name + " with epoch " + epoch + " is lost.");
        return present == null || !present.isHeld()
                ? lost
                : lost.with("holder", present.holder()).with("epoch", present.epoch());
    }
}
