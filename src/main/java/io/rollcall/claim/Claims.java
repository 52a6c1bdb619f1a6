package io.rollcall.claim;

import static io.rollcall.sql.Statements.micros;

import io.micrometer.core.instrument.MeterRegistry;
import io.rollcall.delegation.DelegationDetail;
import io.rollcall.delegation.DelegationEvent;
import io.rollcall.delegation.Delegations;
import io.rollcall.delegation.EventRepository;
import io.rollcall.lease.LeaseConfig;
import io.rollcall.queue.QueueRepository;
import io.rollcall.queue.QueueSettings;
import io.rollcall.time.DatabaseClock;
import io.rollcall.tx.AfterCommit;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.transaction.Transactional;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/** Hands out work: highest priority first, then what has been claimable longest. */
@ApplicationScoped
public class Claims {
    private final ClaimRepository claims;
    private final QueueRepository queues;
    private final Delegations delegations;
    private final EventRepository events;
    private final LeaseConfig leaseConfig;
    private final DatabaseClock clock;
    private final AfterCommit afterCommit;
    private final MeterRegistry meters;

    Claims(
            ClaimRepository claims,
            QueueRepository queues,
            Delegations delegations,
            EventRepository events,
            LeaseConfig leaseConfig,
            DatabaseClock clock,
            AfterCommit afterCommit,
            MeterRegistry meters) {
        this.claims = claims;
        this.queues = queues;
        this.delegations = delegations;
        this.events = events;
        this.leaseConfig = leaseConfig;
        this.clock = clock;
        this.afterCommit = afterCommit;
        this.meters = meters;
    }

    /**
     * What an agent got.
     *
     * @param items in the order in which they were handed out; maybe none
     * @param now the database's clock
     */
    public record Claimed(List<DelegationDetail> items, Instant now) {}

    /**
     * Acquires up to {@code max} delegations, each under a new epoch. The same request of the same agent gets the same
     * leases again while they live, also when both run at one moment. A paused queue hands out nothing, and one with a
     * limit never more than that is in flight at once.
     */
    @Transactional
    public Claimed claim(ClaimRequest request) {
        if (request.requestId() != null) {
            claims.lockRequest(request.agent(), request.requestId());
            List<UUID> known = claims.findOf(request.queue(), request.agent(), request.requestId());
            if (!known.isEmpty()) {
                return new Claimed(delegations.getAll(known), clock.now());
            }
        }
        queues.lockShared(request.queue());
        QueueSettings settings = queues.find(request.queue());
        int free = free(settings, request.max());
        Duration fallback =
                settings.heartbeatTimeout() == null ? leaseConfig.heartbeatTimeout() : settings.heartbeatTimeout();
        List<DelegationDetail> acquired = free > 0 ? claims.acquire(request, free, micros(fallback)) : List.of();
        if (acquired.isEmpty()) {
            return new Claimed(List.of(), clock.now());
        }
        events.append(acquired.stream()
                .map(one -> DelegationEvent.claimed(one.delegation(), request.agent()))
                .toList());
        if (request.describesItself()) {
            claims.describe(acquired.stream().map(one -> one.delegation().id()).toList(), request);
        }
        afterCommit.run(
                () -> meters.counter("rollcall_transitions", "from", "queued", "to", "dispatched", "reason", "none")
                        .increment(acquired.size()));
        return new Claimed(acquired, acquired.get(0).delegation().updatedAt());
    }

    /** How many more a queue may hand out now, up to {@code max}: a limit is counted from what is in flight. */
    private int free(QueueSettings settings, int max) {
        if (settings.paused()) {
            return 0;
        }
        return settings.maxInFlight() == null
                ? max
                : (int) Math.min(max, settings.maxInFlight() - claims.countInFlightUnderLock(settings.name()));
    }

    /** How many waiting agents would find work in a queue now, up to {@code max}. */
    @Transactional
    int countClaimable(String queue, int max) {
        QueueSettings settings = queues.find(queue);
        if (settings.paused()) {
            return 0;
        }
        int wanted = settings.maxInFlight() == null
                ? max
                : (int) Math.min(max, settings.maxInFlight() - claims.countInFlight(queue));
        return wanted > 0 ? claims.countClaimable(queue, wanted) : 0;
    }
}
