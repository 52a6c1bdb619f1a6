package io.rollcall.liveness;

import static io.rollcall.sql.Statements.column;
import static io.rollcall.sql.Statements.micros;
import static io.rollcall.sql.Statements.scalar;
import static io.rollcall.sql.Statements.statement;

import io.quarkus.narayana.jta.QuarkusTransaction;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.persistence.EntityManager;
import jakarta.transaction.Transactional;
import jakarta.transaction.Transactional.TxType;
import java.time.Instant;
import java.util.AbstractMap.SimpleEntry;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * How often the holders of delegations in flight were found dead. A count stands only while the lease has the epoch, and
 * the last beat, that it was counted under: so a beat need not touch it. Rows that others are changing are left alone:
 * whoever claims, beats or counts at this moment knows better.
 */
@ApplicationScoped
public class AttemptLivenessRepository implements ProbedHolders {
    /** Silent holders asked about together: no more than 10 MB in memory. */
    private static final int PAGE = 20_000;

    /**
     * Begins at the attempts that have a probe: where nobody has one, a great many silent leases cost nothing. Step by
     * step: the planner would rather walk all of them in their order, or sort with all probes at hand.
     */
    private static final String SILENT = """
            with silent as materialized (
                select l.delegation_id, l.epoch, l.last_beat_at
                from attempt a join lease l on l.delegation_id = a.delegation_id and l.epoch = a.epoch
                where a.probe is not null and a.delegation_id > :after and not l.stuck
                  and l.last_beat_at < now() - l.lease_us / 3000 * interval '1 millisecond'
            ), page as materialized (
                select * from silent order by delegation_id limit :limit
            )
            select p.delegation_id, p.epoch, p.last_beat_at, cast(a.probe as text) as probe
            from page p join attempt a on a.delegation_id = p.delegation_id
            order by p.delegation_id
            """;

    private static final String COUNT = """
            with answer as (
                select * from unnest(cast(:ids as uuid[]), cast(:epochs as bigint[]),
                                     cast(cast(:beats as text[]) as timestamptz[])) as u(id, epoch, beat_at)
            ), counted as (
                select a.delegation_id, w.beat_at, a.dead_beat_at is not distinct from w.beat_at as goes_on
                from attempt a join answer w on w.id = a.delegation_id and w.epoch = a.epoch
                where a.dead_counted_at is null
                   or a.dead_counted_at <= now() - interval '1 microsecond'
                      * case when a.dead_counted_by = :prober then :ownUs else :othersUs end
                order by a.delegation_id for no key update of a skip locked
            )
            update attempt a set
                dead_count = case when c.goes_on then a.dead_count + 1 else 1 end,
                dead_beat_at = c.beat_at, dead_counted_at = now(), dead_counted_by = :prober
            from counted c where a.delegation_id = c.delegation_id
            """;

    private static final String CLEAR = """
            with answer as (
                select * from unnest(cast(:ids as uuid[]), cast(:epochs as bigint[])) as u(id, epoch)
            ), counted as (
                select a.delegation_id from attempt a join answer w on w.id = a.delegation_id and w.epoch = a.epoch
                where a.dead_count > 0 order by a.delegation_id for no key update of a
            )
            update attempt a set dead_count = 0 from counted c where a.delegation_id = c.delegation_id
            """;

    private static final String STANDS = """
            l.delegation_id = a.delegation_id and l.epoch = a.epoch and not l.stuck
            and l.last_beat_at is not distinct from a.dead_beat_at
            """;

    /** Keeps the index of those found dead as small as they are few. */
    private static final String FORGET = """
            with void as (
                select a.delegation_id from attempt a
                where a.dead_count > 0 and not exists (select from lease l where %s)
                order by a.delegation_id limit 10000 for no key update of a skip locked
            )
            update attempt a set dead_count = 0 from void v where a.delegation_id = v.delegation_id
            """.formatted(STANDS);

    private static final String DEAD = """
            select a.delegation_id from attempt a join lease l on %s
            where a.dead_count > 0 and a.dead_count >= :needed and a.delegation_id > :after
              and (:finalizingToo or l.outcome_at is null)
            order by a.delegation_id limit :limit
            """.formatted(STANDS);

    private static final String NOT_YET_STALE = """
            select count(*) from attempt a join lease l on %s cross join beat_acceptance b
            where a.dead_count > 0 and a.dead_count >= :needed
              and (:finalizingToo or l.outcome_at is null)
              and greatest(l.stale_at, b.returned_at + l.lease_us * interval '1 microsecond') >= now()
            """.formatted(STANDS);

    private static final String DEAD_AMONG = """
            select a.delegation_id, a.dead_count, a.probe ->> 'kind' as kind, a.dead_counted_at
            from attempt a join lease l on %s
            where a.delegation_id = any(:ids) and a.dead_count >= :needed
            """.formatted(STANDS);

    private static final UUID FIRST = new UUID(0, 0);

    private final EntityManager entities;

    AttemptLivenessRepository(EntityManager entities) {
        this.entities = entities;
    }

    @Override
    public String name() {
        return "delegations";
    }

    @Override
    public SilentPage findSilent(@Nullable String after) {
        return QuarkusTransaction.requiringNew().call(() -> findSilent(after, PAGE));
    }

    /** The same with another number of holders at most. Part of the caller's transaction. */
    public SilentPage findSilent(@Nullable String after, int limit) {
        return SilentPage.of(
                statement(entities, SILENT)
                        .setParameter("after", after == null ? FIRST : UUID.fromString(after))
                        .setParameter("limit", limit)
                        .addScalar("delegation_id", UUID.class)
                        .addScalar("epoch", Long.class)
                        .addScalar("last_beat_at", Instant.class)
                        .addScalar("probe", String.class)
                        .setTupleTransformer((row, names) -> new SilentHolder(
                                String.valueOf(row[0]), (Long) row[1], (Instant) row[2], (String) row[3]))
                        .getResultList(),
                limit);
    }

    @Override
    @Transactional(TxType.REQUIRES_NEW)
    public void countDead(List<SilentHolder> dead, Turn turn) {
        statement(entities, COUNT)
                .setParameter("ids", column(dead, holder -> UUID.fromString(holder.key()), UUID[]::new))
                .setParameter("epochs", column(dead, SilentHolder::epoch, Long[]::new))
                .setParameter("beats", column(dead, SilentHolder::lastBeatText, String[]::new))
                .setParameter("prober", turn.prober())
                .setParameter("ownUs", micros(turn.own()))
                .setParameter("othersUs", micros(turn.others()))
                .executeUpdate();
    }

    @Override
    @Transactional(TxType.REQUIRES_NEW)
    public void clear(List<SilentHolder> alive) {
        statement(entities, CLEAR)
                .setParameter("ids", column(alive, holder -> UUID.fromString(holder.key()), UUID[]::new))
                .setParameter("epochs", column(alive, SilentHolder::epoch, Long[]::new))
                .executeUpdate();
    }

    /** Sets counts to zero that do not stand any more: a beat came, or the attempt has ended. */
    @Override
    @Transactional(TxType.REQUIRES_NEW)
    public void forget() {
        statement(entities, FORGET).executeUpdate();
    }

    /**
     * The ids of up to {@code limit} delegations in flight whose holders were found dead, in the order of ids.
     *
     * @param needed how often at least
     * @param finalizingToo whether also those whose run has ended, as nothing protects them
     */
    public List<UUID> findDead(UUID after, int limit, int needed, boolean finalizingToo) {
        return scalar(entities, DEAD, "delegation_id", UUID.class)
                .setParameter("after", after)
                .setParameter("limit", limit)
                .setParameter("needed", needed)
                .setParameter("finalizingToo", finalizingToo)
                .getResultList();
    }

    /** How many of them are not stale as well. */
    @Transactional(TxType.REQUIRES_NEW)
    public long countDeadNotStale(int needed, boolean finalizingToo) {
        return scalar(entities, NOT_YET_STALE, "count", Long.class)
                .setParameter("needed", needed)
                .setParameter("finalizingToo", finalizingToo)
                .getSingleResult();
    }

    /** Those of some delegations, whose leases the caller has locked, whose holders were found dead. */
    public Map<UUID, DeadHolder> deadAmong(Collection<UUID> ids, int needed) {
        return statement(entities, DEAD_AMONG)
                .setParameter("ids", ids.toArray(UUID[]::new))
                .setParameter("needed", needed)
                .addScalar("delegation_id", UUID.class)
                .addScalar("dead_count", Integer.class)
                .addScalar("kind", String.class)
                .addScalar("dead_counted_at", Instant.class)
                .setTupleTransformer((row, names) -> new SimpleEntry<>(
                        (UUID) row[0], new DeadHolder((Integer) row[1], (String) row[2], (Instant) row[3])))
                .getResultList()
                .stream()
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }
}
