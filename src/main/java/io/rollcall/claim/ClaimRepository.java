package io.rollcall.claim;

import static io.rollcall.sql.Statements.microsOrNull;
import static io.rollcall.sql.Statements.statement;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.persistence.EntityManager;
import java.util.List;
import java.util.UUID;
import org.hibernate.Session;

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

    /** The rows are locked by now; each move is the one from queued to dispatched. */
    private static final String ACQUIRE = """
            with acquired as (
                update delegation d set
                    status = 'dispatched', epoch = d.epoch + 1, version = d.version + 1, holder = :agent,
                    updated_at = now(), due_at = d.deadline_at
                where d.id = any(:ids)
                returning d.id, d.epoch, d.heartbeat_timeout_us
            ), leased as (
                insert into lease (delegation_id, epoch, holder, acquired_at, last_beat_at, stale_at, lease_us, sole)
                select a.id, a.epoch, :agent, now(), now(), now() + l.us * interval '1 microsecond', l.us, false
                from acquired a cross join lateral (
                    select coalesce(cast(:leaseUs as bigint), a.heartbeat_timeout_us, :fallbackUs) as us) l
                order by a.id
                returning delegation_id, epoch
            )
            insert into delegation_event (delegation_id, seq, at, kind, from_status, to_status, epoch, actor)
            select a.id, 1 + coalesce((select max(e.seq) from delegation_event e where e.delegation_id = a.id), 0),
                   now(), 'transition', 'queued', 'dispatched', a.epoch, 'agent:' || :agent
            from acquired a
            """;

    private static final String DESCRIBE = """
            insert into attempt (delegation_id, epoch, agent, request_id, instance, probe)
            select d.id, d.epoch, :agent, :requestId, :instance, cast(:probe as jsonb)
            from delegation d where d.id = any(:ids) order by d.id
            on conflict (delegation_id) do update set
                epoch = excluded.epoch, agent = excluded.agent, request_id = excluded.request_id,
                instance = excluded.instance, probe = excluded.probe
            """;

    private static final String SAME_REQUEST = """
            select a.delegation_id from attempt a
            join lease l on l.delegation_id = a.delegation_id and l.epoch = a.epoch
            join delegation d on d.id = a.delegation_id
            where a.agent = :agent and a.request_id = :requestId and d.queue = :queue
            order by d.priority desc, d.id
            """;

    private static final String LOCK_REQUEST =
            "select cast(pg_advisory_xact_lock(hashtextextended('claim ' || :agent || ' ' || :requestId, 0)) as text)";

    private static final String IN_FLIGHT = """
            select count(*) from delegation
            where queue = :queue and status in ('dispatched', 'in_progress')
            """;

    private static final String LOCK_LIMIT = "select name from queue where name = :queue for no key update";

    private final EntityManager entities;

    ClaimRepository(EntityManager entities) {
        this.entities = entities;
    }

    /** Keeps the same request of the same agent out until the end of the transaction. */
    void lockRequest(String agent, String requestId) {
        session()
                .createNativeQuery(LOCK_REQUEST, String.class)
                .setParameter("agent", agent)
                .setParameter("requestId", requestId)
                .getSingleResultOrNull();
    }

    /** What the same request got before and its agent still holds. */
    List<UUID> findOf(String queue, String agent, String requestId) {
        return session()
                .createNativeQuery(SAME_REQUEST, UUID.class)
                .setParameter("queue", queue)
                .setParameter("agent", agent)
                .setParameter("requestId", requestId)
                .getResultList();
    }

    /** How many of a queue are in flight, counted under a lock that keeps other claims out until the transaction ends. */
    long countInFlightUnderLock(String queue) {
        session()
                .createNativeQuery(LOCK_LIMIT, String.class)
                .setParameter("queue", queue)
                .getResultList();
        return countInFlight(queue);
    }

    /** How many of a queue are in flight. */
    long countInFlight(String queue) {
        return session()
                .createNativeQuery(IN_FLIGHT, Long.class)
                .setParameter("queue", queue)
                .getSingleResult();
    }

    /** Locks up to {@code max} that can be claimed, in the order in which they are handed out. */
    List<UUID> lockClaimable(String queue, int max) {
        return claimable(LOCK, queue, max);
    }

    /** How many can be claimed; counts no further than {@code max}. */
    int countClaimable(String queue, int max) {
        return claimable(PEEK, queue, max).size();
    }

    /** Acquires what this transaction has locked: delegation, lease and event. */
    void acquire(List<UUID> ids, ClaimRequest request, long fallbackLeaseUs) {
        statement(entities, ACQUIRE)
                .setParameter("ids", ids.toArray(UUID[]::new))
                .setParameter("agent", request.agent())
                .setParameter("leaseUs", microsOrNull(request.leaseTime()))
                .setParameter("fallbackUs", fallbackLeaseUs)
                .executeUpdate();
    }

    /** Keeps how the agent described its attempts. */
    void describe(List<UUID> ids, ClaimRequest request) {
        statement(entities, DESCRIBE)
                .setParameter("ids", ids.toArray(UUID[]::new))
                .setParameter("agent", request.agent())
                .setParameter("requestId", request.requestId())
                .setParameter("instance", request.instance())
                .setParameter("probe", request.probe())
                .executeUpdate();
    }

    private List<UUID> claimable(String sql, String queue, int max) {
        return session()
                .createNativeQuery(sql, UUID.class)
                .setParameter("queue", queue)
                .setParameter("max", max)
                .getResultList();
    }

    private Session session() {
        return entities.unwrap(Session.class);
    }
}
