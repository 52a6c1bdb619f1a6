package io.rollcall.delegation;

import io.rollcall.lease.Lease;
import io.rollcall.lease.LeaseRepository;
import io.rollcall.time.DatabaseClock;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.transaction.Transactional;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Taking work away from an agent that an operator has given up on. */
@ApplicationScoped
public class Releases {
    private static final int BATCH = 500;

    private final DelegationRepository delegations;
    private final LeaseRepository leases;
    private final Ledger ledger;
    private final DatabaseClock clock;

    Releases(DelegationRepository delegations, LeaseRepository leases, Ledger ledger, DatabaseClock clock) {
        this.delegations = delegations;
        this.leases = leases;
        this.ledger = ledger;
        this.clock = clock;
    }

    /**
     * What one batch did.
     *
     * @param released how many went back into their queues
     * @param last the last one that was looked at; null where there was none
     */
    public record Batch(int released, @Nullable UUID last) {}

    /**
     * Puts the next of what an agent claimed and still has in flight back into its queues, at no cost; what was handed
     * straight to it stays with it. One transaction; call it again with the last one until there is none.
     */
    @Transactional
    public Batch releaseNext(String agent, UUID after, @Nullable String note) {
        List<UUID> ids = leases.findHeldBy(agent, after, BATCH);
        if (ids.isEmpty()) {
            return new Batch(0, null);
        }
        List<Delegation> locked = delegations.lockAll(ids);
        Map<UUID, Lease> held =
                leases.lockAll(locked.stream().map(Delegation::id).toList()).byDelegation();
        Instant now = clock.now();
        List<Change> changes = new ArrayList<>();
        for (Delegation delegation : locked) {
            Lease lease = held.get(delegation.id());
            if (lease != null
                    && lease.holder().equals(agent)
                    && delegation.status().isInFlight()
                    && delegation.isClaimed()) {
                Evidence evidence =
                        Evidence.ofOperator().with("released", agent).with("note", note);
                changes.add(new Change(delegation, delegation.release(lease, evidence, now)));
            }
        }
        ledger.write(changes);
        return new Batch(changes.size(), ids.get(ids.size() - 1));
    }
}
