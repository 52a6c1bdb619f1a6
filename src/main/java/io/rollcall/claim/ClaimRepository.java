package io.rollcall.claim;

import static io.rollcall.sql.Statements.duration;
import static io.rollcall.sql.Statements.microsOrNull;
import static io.rollcall.sql.Statements.scalar;
import static io.rollcall.sql.Statements.statement;

import io.rollcall.delegation.Delegation;
import io.rollcall.delegation.DelegationDetail;
import io.rollcall.lease.Lease;
import io.rollcall.tx.AdvisoryLocks;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.persistence.EntityManager;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/** Every statement by which agents acquire delegations. */
@ApplicationScoped
class ClaimRepository {
    /**
     * One range of the index for each priority, highest first, each read no further than needed: what is delayed, or
     * whose time is over, is not looked at or left to the sweeper.
     */
    private static final String CLAIMABLE = """
            select c.id from unnest(array[9, 8, 7, 6, 5, 4, 3, 2, 1, 0]) as p(priority)
            cross join lateral (
                select d.id from delegation d
                where d.queue = :queue and d.status = 'queued' and d.priority = p.priority
                  and d.available_at <= now() and d.due_at > now()
                order by d.available_at, d.id limit :max %s) c
            limit :max
            """;

    static final String LOCK = CLAIMABLE.formatted("for no key update skip locked");

    private static final String PEEK = CLAIMABLE.formatted("");

    /**
     * Locks, acquires and reads in one round trip; each move is the one from queued to dispatched. What was queued has no
     * successor, and its lease is what is written here: nothing else need be read. Its history is: so that is for a
     * statement which begins when the rows are locked, and sees what was appended until then.
     */
    private static final String ACQUIRE = """
            with picked as (%s), acquired as (
                update delegation d set
                    status = 'dispatched', epoch = d.epoch + 1, version = d.version + 1, holder = :agent,
                    updated_at = now(), acquired_at = now(),
                    due_at = least(d.deadline_at, now() + d.max_running_us * interval '1 microsecond')
                from picked where d.id = picked.id
                returning d.*
            ), leased as (
                insert into lease (delegation_id, epoch, holder, acquired_at, last_beat_at, stale_at, lease_us, sole)
                select a.id, a.epoch, :agent, now(), now(), now() + l.us * interval '1 microsecond', l.us, false
                from acquired a cross join lateral (
                    select coalesce(cast(:leaseUs as bigint), a.heartbeat_timeout_us, :fallbackUs) as us) l
                order by a.id
                returning delegation_id, lease_us, stale_at
            )
            select d.*, cast(d.payload as text) as payload_text, cast(d.result as text) as result_text,
                   l.lease_us as acquired_us, l.stale_at
            from acquired d join leased l on l.delegation_id = d.id
            order by d.priority desc, d.available_at, d.id
            """.formatted(LOCK);

    private static final String DESCRIBE = """
            insert into attempt (delegation_id, epoch, agent, request_id, instance, probe)
            select d.id, d.epoch, :agent, :requestId, :instance, cast(:probe as jsonb)
            from delegation d where d.id = any(:ids) order by d.id
            on conflict (delegation_id) do update set
                epoch = excluded.epoch, agent = excluded.agent, request_id = excluded.request_id,
                instance = excluded.instance, probe = excluded.probe,
                dead_count = 0, dead_beat_at = null, dead_counted_at = null, dead_counted_by = null
            """;

    private static final String SAME_REQUEST = """
            select a.delegation_id from attempt a
            join lease l on l.delegation_id = a.delegation_id and l.epoch = a.epoch
            join delegation d on d.id = a.delegation_id
            where a.agent = :agent and a.request_id = :requestId and d.queue = :queue
            order by d.priority desc, d.id
            """;

    private static final String IN_FLIGHT = """
            select count(*) from delegation
            where queue = :queue and status in ('dispatched', 'in_progress')
            """;

    private static final String LOCK_LIMIT = "select name from queue where name = :queue for no key update";

    private final EntityManager entities;
    private final AdvisoryLocks locks;

    ClaimRepository(EntityManager entities, AdvisoryLocks locks) {
        this.entities = entities;
        this.locks = locks;
    }

    /** Keeps the same request of the same agent out until the end of the transaction. */
    void lockRequest(String agent, String requestId) {
        locks.lock("claim " + agent + " " + requestId);
    }

    /** What the same request got before and its agent still holds. */
    List<UUID> findOf(String queue, String agent, String requestId) {
        return scalar(entities, SAME_REQUEST, "delegation_id", UUID.class)
                .setParameter("queue", queue)
                .setParameter("agent", agent)
                .setParameter("requestId", requestId)
                .getResultList();
    }

    /** How many of a queue are in flight, counted under a lock that keeps other claims out until the transaction ends. */
    long countInFlightUnderLock(String queue) {
        scalar(entities, LOCK_LIMIT, "name", String.class)
                .setParameter("queue", queue)
                .getResultList();
        return countInFlight(queue);
    }

    /** How many of a queue are in flight. */
    long countInFlight(String queue) {
        return scalar(entities, IN_FLIGHT, "count", Long.class)
                .setParameter("queue", queue)
                .getSingleResult();
    }

    /** How many can be claimed; counts no further than {@code max}. */
    int countClaimable(String queue, int max) {
        return scalar(entities, PEEK, "id", UUID.class)
                .setParameter("queue", queue)
                .setParameter("max", max)
                .getResultList()
                .size();
    }

    /** Acquires up to {@code max} that can be claimed, with their leases, in the order of handing out. */
    List<DelegationDetail> acquire(ClaimRequest request, int max, long fallbackLeaseUs) {
        return statement(entities, ACQUIRE)
                .setReadOnly(true) // written already: nothing is kept to compare it with
                .addEntity(Delegation.class)
                .addScalar("payload_text", String.class)
                .addScalar("result_text", String.class)
                .addScalar("acquired_us", Long.class)
                .addScalar("acquired_at", Instant.class)
                .addScalar("stale_at", Instant.class)
                .setParameter("queue", request.queue())
                .setParameter("max", max)
                .setParameter("agent", request.agent())
                .setParameter("leaseUs", microsOrNull(request.leaseTime()))
                .setParameter("fallbackUs", fallbackLeaseUs)
                .setTupleTransformer((row, names) -> acquired(row, request.agent()))
                .getResultList();
    }

    private static DelegationDetail acquired(Object[] row, String agent) {
        Delegation delegation = (Delegation) row[0];
        Lease lease = Lease.acquired(
                delegation.id(), delegation.epoch(), agent, (Instant) row[4], (Instant) row[5], duration((Long)
                        row[3]));
        return new DelegationDetail(
                delegation, lease, null, new DelegationDetail.Body((String) row[1], (String) row[2]));
    }

    /** Keeps how the agent described its attempts. */
    void describe(List<UUID> ids, ClaimRequest request) {
        statement(entities, DESCRIBE)
                .setParameter("ids", ids.toArray(UUID[]::new))
                .setParameter("agent", request.agent())
                .setParameter("requestId", request.requestId())
                .setParameter("instance", request.self().instance())
                .setParameter("probe", request.self().probe())
                .executeUpdate();
    }
}
