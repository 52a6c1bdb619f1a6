package io.rollcall.delegation;

import io.rollcall.tx.Snapshot;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.transaction.Transactional;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Looking at delegations: each method reads in one transaction and changes nothing. */
@ApplicationScoped
public class Delegations {
    private final DelegationRepository delegations;
    private final DelegationListing listing;
    private final EventRepository events;
    private final StatsRepository stats;
    private final Details details;
    private final Snapshot snapshot;

    Delegations(
            DelegationRepository delegations,
            DelegationListing listing,
            EventRepository events,
            StatsRepository stats,
            Details details,
            Snapshot snapshot) {
        this.delegations = delegations;
        this.listing = listing;
        this.events = events;
        this.stats = stats;
        this.details = details;
        this.snapshot = snapshot;
    }

    /** One, with its lease, payload and result. */
    @Transactional
    public DelegationDetail get(UUID id) {
        snapshot.begin();
        return details.of(delegations.get(id));
    }

    /** Several that exist, in the order of the ids, with their leases, payloads and results. */
    @Transactional
    public List<DelegationDetail> getAll(List<UUID> ids) {
        return details.of(inOrder(ids), true);
    }

    /**
     * Up to {@code limit} delegations in order.
     *
     * @param after the last one of the page before, as its list was sorted; null for the first page
     */
    @Transactional
    public List<DelegationDetail> page(
            DelegationFilter filter, DelegationSort sort, @Nullable PagePosition after, int limit) {
        snapshot.begin();
        List<UUID> ids = positions(filter, sort, after, limit).stream()
                .map(PagePosition::id)
                .toList();
        return details.of(inOrder(ids), false);
    }

    /** The positions of up to {@code limit} delegations in order, after a given one. */
    @Transactional
    public List<PagePosition> positions(
            DelegationFilter filter, DelegationSort sort, @Nullable PagePosition after, int limit) {
        return listing.page(filter, sort, after, limit);
    }

    /** Of some ids, those of delegations that can be retried and have no successor yet. */
    @Transactional
    public List<UUID> findRetryable(List<UUID> ids) {
        return ids.isEmpty() ? List.of() : delegations.findRetryable(ids, Successors.RETRYABLE);
    }

    private List<Delegation> inOrder(List<UUID> ids) {
        Map<UUID, Delegation> found = new HashMap<>();
        delegations.findAllById(ids).forEach(delegation -> found.put(delegation.id(), delegation));
        return ids.stream().map(found::get).filter(Objects::nonNull).toList();
    }

    /** Up to {@code limit} lines of a history, oldest first, after a number. */
    @Transactional
    public List<RecordedEvent> history(UUID id, long after, int limit) {
        delegations.get(id);
        return events.page(id, after, limit);
    }

    /** How many stand where. */
    @Transactional
    public Stats stats() {
        snapshot.begin();
        return stats.count();
    }
}
