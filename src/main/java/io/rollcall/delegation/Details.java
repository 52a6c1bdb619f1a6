package io.rollcall.delegation;

import io.rollcall.lease.Lease;
import io.rollcall.lease.LeaseRepository;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Puts together what clients see of delegations, within the caller's transaction. */
@ApplicationScoped
class Details {
    private final DelegationRepository delegations;
    private final LeaseRepository leases;

    Details(DelegationRepository delegations, LeaseRepository leases) {
        this.delegations = delegations;
        this.leases = leases;
    }

    /** One, with its payload and result. */
    DelegationDetail of(Delegation delegation) {
        return of(List.of(delegation), true).get(0);
    }

    /** Several, in their order. */
    List<DelegationDetail> of(List<Delegation> found, boolean withBodies) {
        List<UUID> held = found.stream()
                .filter(delegation -> delegation.status().holdsLease())
                .map(Delegation::id)
                .toList();
        List<UUID> ids = found.stream().map(Delegation::id).toList();
        Map<UUID, Lease> leasesById = held.isEmpty() ? Map.of() : leases.findAll(held);
        List<UUID> ended = found.stream()
                .filter(delegation -> delegation.status().isFinal()) // only what has ended can have been retried
                .map(Delegation::id)
                .toList();
        Map<UUID, UUID> successors = ended.isEmpty() ? Map.of() : delegations.findSuccessors(ended);
        Map<UUID, DelegationDetail.Body> bodies = withBodies && !ids.isEmpty() ? delegations.findBodies(ids) : Map.of();
        return found.stream()
                .map(delegation -> new DelegationDetail(
                        delegation,
                        leasesById.get(delegation.id()),
                        successors.get(delegation.id()),
                        bodies.get(delegation.id())))
                .toList();
    }
}
