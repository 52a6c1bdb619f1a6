package io.rollcall.lease;

import static io.rollcall.sql.Statements.column;
import static io.rollcall.sql.Statements.duration;
import static io.rollcall.sql.Statements.micros;
import static io.rollcall.sql.Statements.scalar;
import static io.rollcall.sql.Statements.statement;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.persistence.EntityManager;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;

/** Every statement on leases. Set-based, and always in the database's order of ids where rows are locked. */
@ApplicationScoped
public class LeaseRepository {
    private static final String COLUMNS = """
            l.delegation_id, l.epoch, l.holder, l.acquired_at, l.last_beat_at,
            case when l.stale_at is not null
                 then greatest(l.stale_at, a.returned_at + l.lease_us * interval '1 microsecond') end as stale_at,
            nullif(a.returned_at, '-infinity') + l.lease_us * interval '1 microsecond' as excused_until,
            l.lease_us, l.progress, l.note, l.begun, l.stuck, l.cancel_asked, l.sole, l.non_idempotent,
            a.noted_at > now() - interval '5 seconds' as beats_accepted
            """;

    private static final String READ =
            "select " + COLUMNS + " from lease l cross join beat_acceptance a where l.delegation_id = any(:ids)";

    private static final String LOCK = READ + " order by l.delegation_id for no key update of l";

    private static final String INSERT = """
            insert into lease (delegation_id, epoch, holder, acquired_at, lease_us, sole)
            select u.id, u.epoch, u.holder, now(), u.lease_us, u.sole
            from unnest(cast(:ids as uuid[]), cast(:epochs as bigint[]), cast(:holders as text[]),
                        cast(:leaseTimes as bigint[]), cast(:soles as boolean[])) as u(id, epoch, holder, lease_us, sole)
            order by u.id
            """;

    private static final String BEGIN = "update lease set begun = true where delegation_id = :id and epoch = :epoch";

    private static final String ASK_CANCEL =
            "update lease set cancel_asked = true where delegation_id = :id and epoch = :epoch";

    private static final String RECORD_OUTCOME =
            "update lease set outcome_at = now() where delegation_id = :id and epoch = :epoch";

    private static final String HELD_BY = """
            select l.delegation_id from lease l
            where l.holder = :holder and not l.stuck and l.delegation_id > :after
            order by l.delegation_id limit :limit
            """;

    private static final String STICK = """
            update lease l set begun = true, stuck = true
            from unnest(cast(:ids as uuid[]), cast(:epochs as bigint[])) as u(id, epoch)
            where l.delegation_id = u.id and l.epoch = u.epoch
            """;

    private static final String END = """
            delete from lease l
            using unnest(cast(:ids as uuid[]), cast(:epochs as bigint[])) as u(id, epoch)
            where l.delegation_id = u.id and l.epoch = u.epoch
            """;

    private static final String EFFECTIVELY_STALE =
            "greatest(l.stale_at, a.returned_at + l.lease_us * interval '1 microsecond') < now()";

    private static final String SCAN = """
            select count(*) filter (where not l.stuck) as in_flight,
                   count(*) filter (where not l.begun) as not_begun,
                   count(*) filter (where not l.stuck and l.stale_at is not null and l.outcome_at is null) as can_go_stale,
                   count(*) filter (where not l.stuck and l.stale_at is not null and l.outcome_at is null and %s)
                       as stale,
                   count(*) filter (where l.outcome_at is not null) as finalizing,
                   (select noted_at > now() - interval '5 seconds' from beat_acceptance) as beats_accepted
            from lease l cross join beat_acceptance a
            """.formatted(EFFECTIVELY_STALE);

    private static final String STALE = "select l.delegation_id from lease l cross join beat_acceptance a"
            + " where not l.stuck and l.stale_at is not null and l.delegation_id > :after and " + EFFECTIVELY_STALE
            + " and (l.outcome_at is null or :finalizingToo)"
            + " order by l.delegation_id limit :limit";

    private final EntityManager entities;

    LeaseRepository(EntityManager entities) {
        this.entities = entities;
    }

    /** The lease on one delegation, if there is one. */
    public Optional<Lease> find(UUID delegationId) {
        return Optional.ofNullable(findAll(List.of(delegationId)).get(delegationId));
    }

    /** The leases on some delegations. */
    public Map<UUID, Lease> findAll(Collection<UUID> delegationIds) {
        return read(READ, delegationIds).byDelegation();
    }

    /** The same without a lock, together with whether beats were being accepted: for a dry run. */
    public LeasesUnderLock peekAll(Collection<UUID> delegationIds) {
        return read(READ, delegationIds);
    }

    /** Locks the leases on some delegations, whose rows the caller has locked already, and reads what they are now. */
    public LeasesUnderLock lockAll(Collection<UUID> delegationIds) {
        return read(LOCK, delegationIds);
    }

    /** Acquires leases, in the order of ids, for delegations that have none. */
    public void acquire(List<NewLease> leases) {
        statement(entities, INSERT)
                .setParameter("ids", column(leases, NewLease::delegationId, UUID[]::new))
                .setParameter("epochs", column(leases, NewLease::epoch, Long[]::new))
                .setParameter("holders", column(leases, NewLease::holder, String[]::new))
                .setParameter("leaseTimes", column(leases, lease -> micros(lease.leaseTime()), Long[]::new))
                .setParameter("soles", column(leases, NewLease::sole, Boolean[]::new))
                .executeUpdate();
    }

    /** Marks a lease as begun without a beat. Returns whether it still carried the epoch. */
    public boolean begin(UUID delegationId, long epoch) {
        return statement(entities, BEGIN)
                        .setParameter("id", delegationId)
                        .setParameter("epoch", epoch)
                        .executeUpdate()
                == 1;
    }

    /** Lets the holder know with its next heartbeat that it is to stop. Returns whether it still carried the epoch. */
    public boolean askCancel(UUID delegationId, long epoch) {
        return statement(entities, ASK_CANCEL)
                        .setParameter("id", delegationId)
                        .setParameter("epoch", epoch)
                        .executeUpdate()
                == 1;
    }

    /** Notes when the outcome of an attempt was recorded. The caller has renewed this lease under this epoch. */
    public void recordOutcome(UUID delegationId, long epoch) {
        statement(entities, RECORD_OUTCOME)
                .setParameter("id", delegationId)
                .setParameter("epoch", epoch)
                .executeUpdate();
    }

    /** The ids of up to {@code limit} delegations in flight that an agent holds, in the order of ids, after a given one. */
    public List<UUID> findHeldBy(String holder, UUID after, int limit) {
        return scalar(entities, HELD_BY, "delegation_id", UUID.class)
                .setParameter("holder", holder)
                .setParameter("after", after)
                .setParameter("limit", limit)
                .getResultList();
    }

    /** Marks leases as those of stuck delegations. Returns how many still carried their epochs. */
    public int stick(Map<UUID, Long> epochsByDelegation) {
        return guarded(STICK, epochsByDelegation);
    }

    /** Ends leases. Returns how many still carried their epochs. */
    public int end(Map<UUID, Long> epochsByDelegation) {
        return guarded(END, epochsByDelegation);
    }

    /** Looks at all leases once. */
    public LeaseScan scan() {
        return statement(entities, SCAN)
                .addScalar("in_flight", Long.class)
                .addScalar("not_begun", Long.class)
                .addScalar("can_go_stale", Long.class)
                .addScalar("stale", Long.class)
                .addScalar("finalizing", Long.class)
                .addScalar("beats_accepted", Boolean.class)
                .setTupleTransformer((row, names) -> new LeaseScan(
                        (Long) row[0], (Long) row[1], (Long) row[2], (Long) row[3], (Long) row[4], (Boolean) row[5]))
                .getSingleResult();
    }

    /**
     * The ids of up to {@code limit} overdue leases in flight, in the order of ids, after a given one.
     *
     * @param finalizingToo whether also those whose run has ended, as nothing protects them
     */
    public List<UUID> findStale(UUID after, int limit, boolean finalizingToo) {
        return scalar(entities, STALE, "delegation_id", UUID.class)
                .setParameter("after", after)
                .setParameter("finalizingToo", finalizingToo)
                .setParameter("limit", limit)
                .getResultList();
    }

    private LeasesUnderLock read(String sql, Collection<UUID> delegationIds) {
        Map<UUID, Lease> leases = new HashMap<>();
        AtomicBoolean beatsAccepted = new AtomicBoolean();
        statement(entities, sql)
                .setParameter("ids", delegationIds.toArray(UUID[]::new))
                .addScalar("delegation_id", UUID.class)
                .addScalar("epoch", Long.class)
                .addScalar("holder", String.class)
                .addScalar("acquired_at", Instant.class)
                .addScalar("last_beat_at", Instant.class)
                .addScalar("stale_at", Instant.class)
                .addScalar("excused_until", Instant.class)
                .addScalar("lease_us", Long.class)
                .addScalar("progress", Double.class)
                .addScalar("note", String.class)
                .addScalar("begun", Boolean.class)
                .addScalar("stuck", Boolean.class)
                .addScalar("cancel_asked", Boolean.class)
                .addScalar("sole", Boolean.class)
                .addScalar("non_idempotent", Boolean.class)
                .addScalar("beats_accepted", Boolean.class)
                .setTupleTransformer((row, names) -> {
                    beatsAccepted.set((Boolean) row[15]);
                    return leaseOf(row);
                })
                .getResultList()
                .forEach(lease -> leases.put(lease.delegationId(), lease));
        return new LeasesUnderLock(leases, beatsAccepted.get());
    }

    private static Lease leaseOf(Object[] row) {
        return new Lease(
                (UUID) row[0],
                (Long) row[1],
                (String) row[2],
                (Instant) row[3],
                (Instant) row[4],
                (Instant) row[5],
                (Instant) row[6],
                duration((Long) row[7]),
                (Double) row[8],
                (String) row[9],
                (Boolean) row[10],
                (Boolean) row[11],
                (Boolean) row[12],
                (Boolean) row[13],
                (Boolean) row[14]);
    }

    private int guarded(String sql, Map<UUID, Long> epochsByDelegation) {
        List<Map.Entry<UUID, Long>> entries = List.copyOf(epochsByDelegation.entrySet());
        return statement(entities, sql)
                .setParameter("ids", column(entries, Map.Entry::getKey, UUID[]::new))
                .setParameter("epochs", column(entries, Map.Entry::getValue, Long[]::new))
                .executeUpdate();
    }
}
