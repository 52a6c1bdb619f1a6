package io.rollcall.queue;

import static io.rollcall.sql.Statements.durationOrNull;
import static io.rollcall.sql.Statements.microsOrNull;
import static io.rollcall.sql.Statements.scalar;
import static io.rollcall.sql.Statements.statement;

import io.rollcall.tx.AdvisoryLocks;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.persistence.EntityManager;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.hibernate.query.NativeQuery;
import org.jspecify.annotations.Nullable;

/** Every statement on settings of queues, and what stands in queues. */
@ApplicationScoped
public class QueueRepository {
    private static final String COLUMNS = """
            q.name, q.paused, q.max_in_flight, q.heartbeat_timeout_us, q.deadline_us, q.max_requeues, q.max_running_us,
            q.queue_timeout_us, q.backoff_base_us, q.backoff_cap_us, cast(q.gate as text) as gate, q.retention_us
            """;

    private static final String FIND = "select " + COLUMNS + " from queue q where q.name = any(:names)";

    private static final String PUT = """
            insert into queue as q (name, paused, max_in_flight, heartbeat_timeout_us, deadline_us, max_requeues,
                               max_running_us, queue_timeout_us, backoff_base_us, backoff_cap_us, gate, retention_us)
            values (:name, :paused, cast(:maxInFlight as integer), cast(:heartbeatTimeout as bigint),
                    cast(:deadline as bigint), cast(:maxRequeues as integer), cast(:maxRunning as bigint),
                    cast(:queueTimeout as bigint), cast(:backoffBase as bigint), cast(:backoffCap as bigint),
                    cast(:gate as jsonb), cast(:retention as bigint))
            on conflict (name) do update set
                paused = excluded.paused, max_in_flight = excluded.max_in_flight,
                heartbeat_timeout_us = excluded.heartbeat_timeout_us, deadline_us = excluded.deadline_us,
                max_requeues = excluded.max_requeues, max_running_us = excluded.max_running_us,
                queue_timeout_us = excluded.queue_timeout_us, backoff_base_us = excluded.backoff_base_us,
                backoff_cap_us = excluded.backoff_cap_us, gate = excluded.gate,
                retention_us = excluded.retention_us
            """;

    /** All that are set up, and all that have delegations: found by skipping from name to name in the index. */
    private static final String STATES = """
            with recursive used(name) as (
                (select queue from delegation where queue is not null order by queue limit 1)
                union all
                select (select d.queue from delegation d where d.queue > used.name order by d.queue limit 1)
                from used where used.name is not null
            ), known as (
                select name from used where name is not null union select name from queue
            )
            select known.name as queue_name, %s,
                   (select count(*) from delegation d where d.queue = known.name and d.status = 'queued') as depth,
                   (select count(*) from delegation d
                    where d.queue = known.name and d.status in ('dispatched', 'in_progress')) as in_flight,
                   (select min(d.available_at) from delegation d
                    where d.queue = known.name and d.status = 'queued' and d.available_at <= now()) as oldest
            from known left join queue q on q.name = known.name
            where cast(:name as text) is null or known.name = :name
            order by known.name
            """.formatted(COLUMNS);

    private static final String HAS_OPEN = """
            select exists (select from delegation
                           where queue = :name and status in ('queued', 'dispatched', 'in_progress', 'stuck'))
            """;

    private final EntityManager entities;
    private final AdvisoryLocks locks;

    QueueRepository(EntityManager entities, AdvisoryLocks locks) {
        this.entities = entities;
        this.locks = locks;
    }

    /** The settings of some queues, also of those that were never set up. */
    public Map<String, QueueSettings> findAll(Collection<String> names) {
        Map<String, QueueSettings> found =
                settings(statement(entities, FIND).setParameter("names", names.toArray(String[]::new)))
                        .getResultList()
                        .stream()
                        .collect(Collectors.toMap(QueueSettings::name, Function.identity()));
        return names.stream()
                .distinct()
                .collect(Collectors.toMap(
                        Function.identity(), name -> found.getOrDefault(name, QueueSettings.unset(name))));
    }

    /** The settings of one queue, also where it was never set up. */
    public QueueSettings find(String name) {
        return findAll(List.of(name)).getOrDefault(name, QueueSettings.unset(name));
    }

    /** Keeps its settings from changing until the end of the transaction; others may do so at the same time. */
    public void lockShared(String name) {
        locks.lockShared(lockOf(name));
    }

    /** Waits for all who share the lock, and keeps everybody else out until the end of the transaction. */
    public void lockExclusively(String name) {
        locks.lock(lockOf(name));
    }

    /** All queues, or one of them. */
    public List<QueueState> states(@Nullable String name) {
        return settings(statement(entities, STATES).addScalar("queue_name", String.class))
                .addScalar("depth", Long.class)
                .addScalar("in_flight", Long.class)
                .addScalar("oldest", Instant.class)
                .setParameter("name", name)
                .setTupleTransformer((row, names) -> new QueueState(
                        row[1] == null ? QueueSettings.unset((String) row[0]) : settingsOf(row, 1),
                        (Long) row[13],
                        (Long) row[14],
                        (Instant) row[15]))
                .getResultList();
    }

    void put(QueueSettings settings) {
        entities.createNativeQuery(PUT)
                .setParameter("name", settings.name())
                .setParameter("paused", settings.paused())
                .setParameter("maxInFlight", settings.maxInFlight())
                .setParameter("heartbeatTimeout", microsOrNull(settings.heartbeatTimeout()))
                .setParameter("deadline", microsOrNull(settings.deadline()))
                .setParameter("maxRequeues", settings.maxRequeues())
                .setParameter("maxRunning", microsOrNull(settings.maxRunning()))
                .setParameter("queueTimeout", microsOrNull(settings.queueTimeout()))
                .setParameter("backoffBase", microsOrNull(settings.backoffBase()))
                .setParameter("backoffCap", microsOrNull(settings.backoffCap()))
                .setParameter("gate", settings.gate())
                .setParameter("retention", microsOrNull(settings.retention()))
                .executeUpdate();
    }

    boolean hasOpen(String name) {
        return scalar(entities, HAS_OPEN, "exists", Boolean.class)
                .setParameter("name", name)
                .getSingleResult();
    }

    void delete(String name) {
        entities.createNativeQuery("delete from queue where name = :name")
                .setParameter("name", name)
                .executeUpdate();
    }

    /** Claims share this lock, a change of settings takes it alone: none of them sees half of the other. */
    private static String lockOf(String queue) {
        return "queue " + queue;
    }

    private static NativeQuery<QueueSettings> settings(NativeQuery<Object[]> query) {
        return query.addScalar("name", String.class)
                .addScalar("paused", Boolean.class)
                .addScalar("max_in_flight", Integer.class)
                .addScalar("heartbeat_timeout_us", Long.class)
                .addScalar("deadline_us", Long.class)
                .addScalar("max_requeues", Integer.class)
                .addScalar("max_running_us", Long.class)
                .addScalar("queue_timeout_us", Long.class)
                .addScalar("backoff_base_us", Long.class)
                .addScalar("backoff_cap_us", Long.class)
                .addScalar("gate", String.class)
                .addScalar("retention_us", Long.class)
                .setTupleTransformer((row, names) -> settingsOf(row, 0));
    }

    private static QueueSettings settingsOf(@Nullable Object[] row, int from) {
        return new QueueSettings(
                String.valueOf(row[from]),
                Boolean.TRUE.equals(row[from + 1]),
                (Integer) row[from + 2],
                durationOrNull(row[from + 3]),
                durationOrNull(row[from + 4]),
                (Integer) row[from + 5],
                durationOrNull(row[from + 6]),
                durationOrNull(row[from + 7]),
                durationOrNull(row[from + 8]),
                durationOrNull(row[from + 9]),
                (String) row[from + 10],
                durationOrNull(row[from + 11]));
    }
}
