package io.rollcall.redrive;

import static io.rollcall.sql.Statements.scalar;
import static io.rollcall.sql.Statements.statement;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.persistence.EntityManager;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Every statement on redrives and on what they have still to do. */
@ApplicationScoped
class RedriveRepository {
    private static final String PAGE = """
            select r.id, r.state, r.created_at, r.finished_at, cast(r.filter as text) as filter, r.per_second, r.note,
                   r.matched, c.retried, c.skipped, c.waiting
            from redrive r cross join lateral (
                select count(*) filter (where i.state = 'retried') as retried,
                       count(*) filter (where i.state = 'skipped') as skipped,
                       count(*) filter (where i.state = 'waiting') as waiting
                from redrive_item i where i.redrive_id = r.id) c
            where (cast(:id as uuid) is null or r.id = :id) and (cast(:before as uuid) is null or r.id < :before)
            order by r.id desc limit :limit
            """;

    private static final String INSERT = """
            insert into redrive (id, state, created_at, filter, per_second, note, matched)
            values (:id, 'running', now(), cast(:filter as jsonb), :perSecond, :note, 0)
            """;

    private static final String ADD = """
            insert into redrive_item (redrive_id, delegation_id)
            select :id, u.id from unnest(cast(:ids as uuid[])) as u(id) order by u.id
            on conflict do nothing
            """;

    private static final String COUNT = """
            update redrive set matched = (select count(*) from redrive_item where redrive_id = :id) where id = :id
            """;

    private static final String RUNNING = "select id, per_second from redrive where state = 'running' order by id";

    /** One replica at a time works on a redrive; the next item is taken under the lock of its row. */
    private static final String LOCK_RUNNING =
            "select id from redrive where id = :id and state = 'running' for no key update skip locked";

    private static final String NEXT = """
            select delegation_id from redrive_item
            where redrive_id = :id and state = 'waiting' order by delegation_id limit 1
            """;

    private static final String SETTLE =
            "update redrive_item set state = :state where redrive_id = :id and delegation_id = :delegationId";

    private static final String FINISH =
            "update redrive set state = :state, finished_at = now() where id = :id and state = 'running'";

    private static final String PURGE =
            "delete from redrive where finished_at < now() - :retentionUs * interval '1 microsecond'";

    private final EntityManager entities;

    RedriveRepository(EntityManager entities) {
        this.entities = entities;
    }

    /** Running redrives and their rates. */
    record Running(UUID id, int perSecond) {}

    Optional<Redrive> find(UUID id) {
        return page(id, null, 1).stream().findFirst();
    }

    /** Up to {@code limit} redrives, newest first, before a given one. */
    List<Redrive> page(@Nullable UUID before, int limit) {
        return page(null, before, limit);
    }

    void insert(UUID id, @Nullable String filter, int perSecond, @Nullable String note) {
        statement(entities, INSERT)
                .setParameter("id", id)
                .setParameter("filter", filter)
                .setParameter("perSecond", perSecond)
                .setParameter("note", note)
                .executeUpdate();
    }

    /** Adds delegations, each once. */
    void add(UUID id, Collection<UUID> delegationIds) {
        statement(entities, ADD)
                .setParameter("id", id)
                .setParameter("ids", delegationIds.toArray(UUID[]::new))
                .executeUpdate();
    }

    void count(UUID id) {
        statement(entities, COUNT).setParameter("id", id).executeUpdate();
    }

    List<Running> findRunning() {
        return statement(entities, RUNNING)
                .addScalar("id", UUID.class)
                .addScalar("per_second", Integer.class)
                .setTupleTransformer((row, names) -> new Running((UUID) row[0], (Integer) row[1]))
                .getResultList();
    }

    /** Locks one that is running; false if it is not, or another replica is at it. */
    boolean lockRunning(UUID id) {
        return !statement(entities, LOCK_RUNNING)
                .setParameter("id", id)
                .addScalar("id", UUID.class)
                .getResultList()
                .isEmpty();
    }

    Optional<UUID> next(UUID id) {
        return scalar(entities, NEXT, "delegation_id", UUID.class)
                .setParameter("id", id)
                .uniqueResultOptional();
    }

    void settle(UUID id, UUID delegationId, String state) {
        statement(entities, SETTLE)
                .setParameter("id", id)
                .setParameter("delegationId", delegationId)
                .setParameter("state", state)
                .executeUpdate();
    }

    void finish(UUID id, String state) {
        statement(entities, FINISH)
                .setParameter("id", id)
                .setParameter("state", state)
                .executeUpdate();
    }

    void purge(long retentionUs) {
        statement(entities, PURGE).setParameter("retentionUs", retentionUs).executeUpdate();
    }

    private List<Redrive> page(@Nullable UUID id, @Nullable UUID before, int limit) {
        return statement(entities, PAGE)
                .setParameter("id", id, UUID.class)
                .setParameter("before", before, UUID.class)
                .setParameter("limit", limit)
                .addScalar("id", UUID.class)
                .addScalar("state", String.class)
                .addScalar("created_at", Instant.class)
                .addScalar("finished_at", Instant.class)
                .addScalar("filter", String.class)
                .addScalar("per_second", Integer.class)
                .addScalar("note", String.class)
                .addScalar("matched", Long.class)
                .addScalar("retried", Long.class)
                .addScalar("skipped", Long.class)
                .addScalar("waiting", Long.class)
                .setTupleTransformer((row, names) -> new Redrive(
                        (UUID) row[0],
                        (String) row[1],
                        (Instant) row[2],
                        (Instant) row[3],
                        (String) row[4],
                        (Integer) row[5],
                        (String) row[6],
                        (Long) row[7],
                        (Long) row[8],
                        (Long) row[9],
                        (Long) row[10]))
                .getResultList();
    }
}
