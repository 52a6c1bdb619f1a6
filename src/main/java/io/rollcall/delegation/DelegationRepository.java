package io.rollcall.delegation;

import static io.rollcall.sql.Statements.scalar;
import static io.rollcall.sql.Statements.statement;

import io.quarkus.hibernate.orm.panache.PanacheRepositoryBase;
import io.rollcall.error.ErrorCode;
import io.rollcall.error.RefusedException;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.persistence.OptimisticLockException;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.hibernate.Session;
import org.jspecify.annotations.Nullable;

/** Every statement on single delegations and on sets of them by id; lists and statistics stand in their own files. */
@ApplicationScoped
public class DelegationRepository implements PanacheRepositoryBase<Delegation, UUID> {
    /** The database's order of uuid: by unsigned bytes, as their text sorts. Java's own order is signed. */
    public static final Comparator<UUID> DATABASE_ORDER = Comparator.comparing(UUID::toString);

    /** Locks what nobody else is changing, and leaves out what was set aside. */
    private static final String LOCK = """
            select d.id from delegation d
            where d.id = any(:ids)
              and not exists (select from set_aside s where s.delegation_id = d.id and s.until > now())
            order by d.id for no key update of d skip locked
            """;

    static final String DUE = """
            select id, due_at from delegation
            where due_at <= now() and (due_at, id) > (:afterDue, :afterId)
            order by due_at, id limit :limit
            """;

    private static final String SUCCESSORS = "select retry_of, id from delegation where retry_of = any(:ids)";

    private static final String RETRYABLE = """
            select d.id from delegation d
            where d.id = any(:ids) and d.status = any(:statuses)
              and not exists (select from delegation s where s.retry_of = d.id)
            order by d.id
            """;

    private static final String BODIES = """
            select id, cast(payload as text) as payload, cast(result as text) as result
            from delegation where id = any(:ids)
            """;

    private static final String COUNT_LATE_REPORT =
            "update delegation set late_reports = late_reports + 1 where id = :id returning late_reports";

    /** The one with that id. */
    public Delegation get(UUID id) {
        return findByIdOptional(id)
                .orElseThrow(() -> new RefusedException(ErrorCode.NOT_FOUND, "There is no delegation " + id + "."));
    }

    /** Those that exist of some ids. Not by a query with {@code in}: Hibernate would translate it anew each time. */
    public List<Delegation> findAllById(Collection<UUID> ids) {
        return getEntityManager().unwrap(Session.class).findMultiple(Delegation.class, List.copyOf(ids)).stream()
                .filter(Objects::nonNull)
                .toList();
    }

    /** The one that its caller registered under a key. */
    public Optional<Delegation> findByIdempotencyKey(String caller, String key) {
        return find("terms.caller = ?1 and idempotencyKey = ?2", caller, key).firstResultOptional();
    }

    /** Inserts in the order of ids, as all do, so that two transactions with the same ids cannot deadlock. */
    public void insertAll(Collection<Delegation> delegations) {
        delegations.stream()
                .sorted(Comparator.comparing(Delegation::id, DATABASE_ORDER))
                .forEach(this::persist);
        flush();
    }

    /** Locks one row, waiting for whoever has it. */
    public void lockRow(UUID id) {
        statement(getEntityManager(), "select id from delegation where id = :id for no key update")
                .setParameter("id", id)
                .addScalar("id", UUID.class)
                .getResultList();
    }

    /**
     * Locks one row, waiting for whoever has it.
     *
     * @throws OptimisticLockException if it is no longer as it was read; try again
     */
    void lockUnchanged(Delegation delegation) {
        boolean unchanged = !statement(
                        getEntityManager(),
                        "select id from delegation where id = :id and version = :version for no key update")
                .setParameter("id", delegation.id())
                .setParameter("version", delegation.version())
                .addScalar("id", UUID.class)
                .getResultList()
                .isEmpty();
        if (!unchanged) {
            throw new OptimisticLockException("Changed meanwhile: " + delegation.id());
        }
    }

    /** Locks some rows in the order of ids, waiting for whoever has them, and reads what they are now. */
    List<Delegation> lockAll(Collection<UUID> ids) {
        List<UUID> locked = scalar(
                        getEntityManager(),
                        "select id from delegation where id = any(:ids) order by id for no key update",
                        "id",
                        UUID.class)
                .setParameter("ids", ids.toArray(UUID[]::new))
                .getResultList();
        return findAllById(locked);
    }

    /** Of some ids, locks those that nobody else is changing and that are not set aside, and reads what they are now. */
    public List<Delegation> lockFree(Collection<UUID> ids) {
        List<UUID> locked = scalar(getEntityManager(), LOCK, "id", UUID.class)
                .setParameter("ids", ids.toArray(UUID[]::new))
                .getResultList();
        return findAllById(locked);
    }

    /** Up to {@code limit} open delegations whose time is over, earliest first, after a given one. */
    public List<DueDelegation> findDue(DueDelegation after, int limit) {
        return statement(getEntityManager(), DUE)
                .setParameter("afterDue", after.dueAt())
                .setParameter("afterId", after.id())
                .setParameter("limit", limit)
                .addScalar("id", UUID.class)
                .addScalar("due_at", Instant.class)
                .setTupleTransformer((row, names) -> new DueDelegation((Instant) row[1], (UUID) row[0]))
                .getResultList();
    }

    /** The successor of each of some delegations that has one. */
    public Map<UUID, UUID> findSuccessors(Collection<UUID> ids) {
        Map<UUID, UUID> successors = new HashMap<>();
        statement(getEntityManager(), SUCCESSORS)
                .setParameter("ids", ids.toArray(UUID[]::new))
                .addScalar("retry_of", UUID.class)
                .addScalar("id", UUID.class)
                .getResultList()
                .forEach(row -> successors.put((UUID) row[0], (UUID) row[1]));
        return successors;
    }

    /** Of some ids, those in one of some statuses that have no successor yet, in the order of ids. */
    List<UUID> findRetryable(Collection<UUID> ids, Set<DelegationStatus> retryable) {
        return scalar(getEntityManager(), RETRYABLE, "id", UUID.class)
                .setParameter("ids", ids.toArray(UUID[]::new))
                .setParameter("statuses", DelegationStatus.wireNames(retryable))
                .getResultList();
    }

    /** Payload and result of some delegations, as this transaction has written them. */
    Map<UUID, DelegationDetail.Body> findBodies(Collection<UUID> ids) {
        Map<UUID, DelegationDetail.Body> bodies = new HashMap<>();
        statement(getEntityManager(), BODIES)
                .setParameter("ids", ids.toArray(UUID[]::new))
                .addScalar("id", UUID.class)
                .addScalar("payload", String.class)
                .addScalar("result", String.class)
                .getResultList()
                .forEach(row -> bodies.put((UUID) row[0], new DelegationDetail.Body((String) row[1], (String) row[2])));
        return bodies;
    }

    /**
     * Counts a refused report and locks the row, without a new version: a refused report changes nothing.
     *
     * @return how many there are now, this one included
     */
    public int countLateReport(UUID id) {
        @Nullable
        Object[] counted = statement(getEntityManager(), COUNT_LATE_REPORT)
                .setParameter("id", id)
                .addScalar("late_reports", Integer.class)
                .getSingleResultOrNull();
        return counted == null ? 0 : (Integer) counted[0];
    }
}
