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
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Heartbeats that the hot path could not answer: first ones, which change the delegation, and refusals. */
@ApplicationScoped
public class FirstBeats {
    private final DelegationRepository delegations;
    private final LeaseRepository leases;
    private final BeatRepository beatRepository;
    private final Ledger ledger;
    private final DatabaseClock clock;

    FirstBeats(
            DelegationRepository delegations,
            LeaseRepository leases,
            BeatRepository beatRepository,
            Ledger ledger,
            DatabaseClock clock) {
        this.delegations = delegations;
        this.leases = leases;
        this.beatRepository = beatRepository;
        this.ledger = ledger;
        this.clock = clock;
    }

    /**
     * Renews a lease; the first beat turns dispatched into in progress.
     *
     * @throws RefusedException {@code not-found}, {@code epoch-required}, or {@code lease-lost} with the present status
     * @throws OptimisticLockException if others changed the delegation meanwhile; try again
     */
    @Transactional
    public Renewal beat(Beat beat) {
        Delegation delegation = delegations.get(beat.delegationId());
        long epoch = AgentEpoch.of(delegation, beat.epoch());
        Lease lease = leases.find(beat.delegationId()).orElse(null);
        if (lease == null || lease.epoch() != epoch) {
            delegations.getEntityManager().refresh(delegation); // it may have ended between the two reads
            throw leaseLost(delegation, epoch);
        }
        if (delegation.status() == DelegationStatus.DISPATCHED) {
            DelegationEvent begun = delegation.begin(Evidence.ofAgent(lease.holder()), clock.now());
            ledger.write(List.of(new Change(delegation, begun)));
        }
        return beatRepository.renew(beat);
    }

    /** Those of some delegations that wait for their first beat. */
    @Transactional
    public List<UUID> findAwaited(Collection<UUID> ids) {
        return beatRepository.findNotBegun(ids);
    }

    /**
     * First beats of many in one transaction, at most one a delegation. Those that {@link #beat} would refuse are left
     * out: they are for it to refuse.
     *
     * @return the renewals of the others
     */
    @Transactional
    public List<Renewal> beatAll(Collection<Beat> beats) {
        Map<UUID, Beat> byDelegation =
                beats.stream().collect(Collectors.toMap(Beat::delegationId, Function.identity()));
        List<Delegation> locked = delegations.lockAll(byDelegation.keySet());
        Map<UUID, Lease> held = leases.findAll(byDelegation.keySet());
        Instant now = clock.now();
        List<Change> changes = new ArrayList<>();
        List<Beat> accepted = new ArrayList<>();
        for (Delegation delegation : locked) {
            Beat beat = byDelegation.get(delegation.id());
            Lease lease = held.get(delegation.id());
            if (beat == null || lease == null || !isFor(lease, beat, delegation)) {
                continue;
            }
            accepted.add(beat);
            if (delegation.status() == DelegationStatus.DISPATCHED) {
                changes.add(new Change(delegation, delegation.begin(Evidence.ofAgent(lease.holder()), now)));
            }
        }
        ledger.write(changes);
        return beatRepository.renewAll(accepted);
    }

    private static boolean isFor(Lease lease, Beat beat, Delegation delegation) {
        return beat.epoch() == null ? delegation.terms().isSoleAttempt() : beat.epoch() == lease.epoch();
    }

    /** Somebody else holds the work, or nobody does. */
    static RefusedException leaseLost(Delegation delegation, long epoch) {
        return new RefusedException(
                        ErrorCode.LEASE_LOST,
                        "The lease with epoch " + epoch + " is lost: the delegation is "
                                + delegation.status().wireName() + ".")
                .with("delegationStatus", delegation.status().wireName())
                .with("epoch", delegation.epoch());
    }
}
