package io.rollcall.resource;

import static io.rollcall.sql.Statements.duration;
import static io.rollcall.sql.Statements.micros;
import static io.rollcall.sql.Statements.scalar;
import static io.rollcall.sql.Statements.statement;

import io.rollcall.tx.AdvisoryLocks;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.persistence.EntityManager;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.hibernate.query.NativeQuery;
import org.jspecify.annotations.Nullable;

/**
 * Every statement that reads or writes single resource leases. Whether one is free is judged here, by the database's
 * clock, and never by a statement that waits for the row's lock: what it sees of other tables would be older than the row.
 */
@ApplicationScoped
class ResourceLeaseRepository {
    /** While no beats are accepted nobody can renew: time stands still, and starts anew when we are back. */
    private static final String EXPIRES_AT = """
            greatest(r.expires_at,
                     case when a.noted_at > now() - interval '5 seconds' then a.returned_at else now() end
                         + r.ttl_us * interval '1 microsecond')
            """;

    /** Of r, a resource lease, and a, the note that beats are accepted; null while it is held. */
    static final String WHY_FREE = """
            case when r.delegation_id is not null
                      and not exists (select from lease l
                                      where l.delegation_id = r.delegation_id and l.epoch = r.delegation_epoch)
                 then 'attempt_ended'
                 when r.dead_answers >= :deadTicks and a.noted_at > now() - interval '5 seconds' then 'agent_dead'
                 when %s < now() then 'expired' end
            """.formatted(EXPIRES_AT);

    private static final String READ = """
            select r.name, r.epoch, r.holder, r.request_id, r.ttl_us, r.acquired_at, r.renewed_at, %s as expires_at,
                   r.delegation_id, r.delegation_epoch, %s as why_free
            from resource_lease r cross join beat_acceptance a
            """.formatted(EXPIRES_AT, WHY_FREE);

    private static final String FIND = READ + " where r.name = :name";

    private static final String HELD =
            READ + " where r.name > :after and " + WHY_FREE + " is null order by r.name limit :limit";

    private static final String LOCK = "select name from resource_lease where name = :name for update";

    /** Heartbeats do not wait for this lock, the end of the attempt does. */
    private static final String LOCK_ATTEMPT =
            "select epoch from lease where delegation_id = :delegationId for key share";

    private static final String ACQUIRE = """
            insert into resource_lease (name, epoch, holder, request_id, ttl_us, acquired_at, renewed_at, expires_at,
                                        delegation_id, delegation_epoch, probe)
            values (:name, nextval('resource_lease_epoch'), :holder, cast(:requestId as text), :ttlUs, now(), now(),
                    now() + :ttlUs * interval '1 microsecond', cast(:delegationId as uuid),
                    cast(:delegationEpoch as bigint), cast(:probe as jsonb))
            on conflict (name) do update set
                epoch = excluded.epoch, holder = excluded.holder, request_id = excluded.request_id,
                ttl_us = excluded.ttl_us, acquired_at = excluded.acquired_at, renewed_at = excluded.renewed_at,
                expires_at = excluded.expires_at, delegation_id = excluded.delegation_id,
                delegation_epoch = excluded.delegation_epoch, probe = excluded.probe,
                dead_answers = 0, dead_counted_at = null
            """;

    private static final String RENEW = """
            update resource_lease set
                ttl_us = :ttlUs, renewed_at = greatest(renewed_at, now()),
                expires_at = greatest(renewed_at, now()) + :ttlUs * interval '1 microsecond',
                probe = coalesce(cast(:probe as jsonb), probe), dead_answers = 0, dead_counted_at = null
            where name = :name and epoch = :epoch
            """;

    private final EntityManager entities;
    private final AdvisoryLocks locks;
    private final ResourceConfig config;

    ResourceLeaseRepository(EntityManager entities, AdvisoryLocks locks, ResourceConfig config) {
        this.entities = entities;
        this.locks = locks;
        this.config = config;
    }

    /** The lease of that name, held or free, if there is a row of it. */
    Optional<ResourceLease> find(String name) {
        return leases(FIND).setParameter("name", name).uniqueResultOptional();
    }

    /** The same, locked before it is judged: nobody changes it until the transaction ends. */
    Optional<ResourceLease> lock(String name) {
        statement(entities, LOCK)
                .setParameter("name", name)
                .addScalar("name", String.class)
                .getResultList();
        return find(name);
    }

    /** Up to {@code limit} that are held, by name, after a given one. */
    List<ResourceLease> findHeld(String after, int limit) {
        return leases(HELD)
                .setParameter("after", after)
                .setParameter("limit", limit)
                .getResultList();
    }

    /**
     * Keeps others from acquiring that name until the transaction ends, also where there is no row to lock. What draws an
     * epoch does so under this lock: so the epochs of a name rise in the order of their commits.
     */
    void lockName(String name) {
        locks.lock("resource " + name);
    }

    /** Keeps the present attempt of a delegation from ending until the transaction ends. Its epoch, if there is one. */
    Optional<Long> lockAttempt(UUID delegationId) {
        return scalar(entities, LOCK_ATTEMPT, "epoch", Long.class)
                .setParameter("delegationId", delegationId)
                .uniqueResultOptional();
    }

    /**
     * Acquires a lease under a new epoch. The caller has locked the name, and its row where there is one.
     *
     * @param attempt the epoch of the attempt that it is tied to
     */
    void acquire(ResourceRequest request, @Nullable Long attempt) {
        statement(entities, ACQUIRE)
                .setParameter("name", request.name())
                .setParameter("holder", request.holder())
                .setParameter("requestId", request.requestId())
                .setParameter("ttlUs", micros(request.ttl()))
                .setParameter("delegationId", request.delegationId())
                .setParameter("delegationEpoch", attempt)
                .setParameter("probe", request.probe())
                .executeUpdate();
    }

    /** Renews a lease that the caller has locked: whoever renews is alive, whatever probes said. */
    void renew(ResourceRequest request, long epoch) {
        statement(entities, RENEW)
                .setParameter("name", request.name())
                .setParameter("epoch", epoch)
                .setParameter("ttlUs", micros(request.ttl()))
                .setParameter("probe", request.probe())
                .executeUpdate();
    }

    /** Deletes the row of a lease that the caller has locked. */
    void delete(String name) {
        statement(entities, "delete from resource_lease where name = :name")
                .setParameter("name", name)
                .executeUpdate();
    }

    private NativeQuery<ResourceLease> leases(String sql) {
        return statement(entities, sql)
                .setParameter("deadTicks", config.deadTicks())
                .addScalar("name", String.class)
                .addScalar("epoch", Long.class)
                .addScalar("holder", String.class)
                .addScalar("request_id", String.class)
                .addScalar("ttl_us", Long.class)
                .addScalar("acquired_at", Instant.class)
                .addScalar("renewed_at", Instant.class)
                .addScalar("expires_at", Instant.class)
                .addScalar("delegation_id", UUID.class)
                .addScalar("delegation_epoch", Long.class)
                .addScalar("why_free", String.class)
                .setTupleTransformer((row, names) -> new ResourceLease(
                        (String) row[0],
                        (Long) row[1],
                        (String) row[2],
                        (String) row[3],
                        duration((Long) row[4]),
                        (Instant) row[5],
                        (Instant) row[6],
                        (Instant) row[7],
                        (UUID) row[8],
                        (Long) row[9],
                        row[10] == null ? null : WhyFree.ofWireName((String) row[10])));
    }
}
