package io.rollcall.resource;

import static io.rollcall.sql.Statements.micros;
import static io.rollcall.sql.Statements.statement;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.persistence.EntityManager;
import jakarta.transaction.Transactional;
import jakarta.transaction.Transactional.TxType;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.hibernate.query.NativeQuery;

/** Which holders are to be probed, and what their probes said. Each method is one transaction. */
@ApplicationScoped
public class ResourceProbeRepository {
    private static final String SILENT = """
            select r.name, r.epoch, r.renewed_at, cast(r.probe as text) as probe
            from resource_lease r cross join beat_acceptance a
            where r.name > :after and r.probe is not null
              and greatest(r.renewed_at, a.returned_at) + r.ttl_us / 3 * interval '1 microsecond' < now()
              and %s is null
            order by r.name limit :limit
            """.formatted(ResourceLeaseRepository.WHY_FREE);

    private static final String UNCHANGED = " where name = :name and epoch = :epoch and renewed_at = :renewedAt";

    private static final String COUNT_DEAD =
            "update resource_lease set dead_answers = dead_answers + 1, dead_counted_at = now()" + UNCHANGED
                    + " and (dead_counted_at is null or dead_counted_at <= now() - :intervalUs * interval '1 microsecond')";

    private static final String COUNT_ALIVE =
            "update resource_lease set dead_answers = 0, dead_counted_at = null" + UNCHANGED + " and dead_answers > 0";

    private final EntityManager entities;
    private final ResourceConfig config;

    ResourceProbeRepository(EntityManager entities, ResourceConfig config) {
        this.entities = entities;
        this.config = config;
    }

    /**
     * Up to {@code limit} leases, by name, after a given one, that are held, have a probe, and were not renewed for longer
     * than a third of their time, or since we returned from an outage.
     */
    @Transactional(TxType.REQUIRES_NEW)
    public List<ProbedLease> findSilent(String after, int limit) {
        return statement(entities, SILENT)
                .setParameter("deadTicks", config.deadTicks())
                .setParameter("after", after)
                .setParameter("limit", limit)
                .addScalar("name", String.class)
                .addScalar("epoch", Long.class)
                .addScalar("renewed_at", Instant.class)
                .addScalar("probe", String.class)
                .setTupleTransformer((row, names) ->
                        new ProbedLease((String) row[0], (Long) row[1], (Instant) row[2], (String) row[3]))
                .getResultList();
    }

    /**
     * Its probe said dead. Counts once in {@code interval}, whichever replica says it, and only if the holder has not been
     * heard since.
     *
     * @return whether it counted
     */
    @Transactional(TxType.REQUIRES_NEW)
    public boolean countDead(ProbedLease lease, Duration interval) {
        return unchanged(COUNT_DEAD, lease)
                        .setParameter("intervalUs", micros(interval))
                        .executeUpdate()
                == 1;
    }

    /** Its probe said alive: what was counted is forgotten. */
    @Transactional(TxType.REQUIRES_NEW)
    public void countAlive(ProbedLease lease) {
        unchanged(COUNT_ALIVE, lease).executeUpdate();
    }

    private NativeQuery<Object[]> unchanged(String sql, ProbedLease lease) {
        return statement(entities, sql)
                .setParameter("name", lease.name())
                .setParameter("epoch", lease.epoch())
                .setParameter("renewedAt", lease.renewedAt());
    }
}
