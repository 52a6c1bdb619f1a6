package io.rollcall.resource;

import static io.rollcall.sql.Statements.column;
import static io.rollcall.sql.Statements.micros;
import static io.rollcall.sql.Statements.statement;

import io.rollcall.liveness.ProbedHolders;
import io.rollcall.liveness.SilentHolder;
import io.rollcall.liveness.SilentPage;
import io.rollcall.liveness.Turn;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.persistence.EntityManager;
import jakarta.transaction.Transactional;
import jakarta.transaction.Transactional.TxType;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.hibernate.query.NativeQuery;
import org.jspecify.annotations.Nullable;

/** Which holders are to be probed, and what their probes said. Each method is one transaction. */
@ApplicationScoped
public class ResourceProbeRepository implements ProbedHolders {
    private static final int PAGE = 5_000;

    private static final String SILENT = """
            select r.name, r.epoch, r.renewed_at, cast(r.probe as text) as probe
            from resource_lease r cross join beat_acceptance a
            where r.name > :after and r.probe is not null
              and greatest(r.renewed_at, a.returned_at) + r.ttl_us / 3 * interval '1 microsecond' < now()
              and %s is null
            order by r.name limit :limit
            """.formatted(ResourceLeaseRepository.WHY_FREE);

    /** Those that nobody has renewed since they were asked, locked in their order; what others have locked is left alone. */
    private static final String UNCHANGED = """
            with answer as (
                select * from unnest(cast(:names as text[]), cast(:epochs as bigint[]),
                                     cast(cast(:beats as text[]) as timestamptz[])) as u(name, epoch, renewed_at)
            ), unchanged as (
                select r.name from resource_lease r
                join answer w on w.name = r.name and w.epoch = r.epoch and w.renewed_at = r.renewed_at
                where %s order by r.name for no key update of r skip locked
            )
            update resource_lease r set %s from unchanged u where r.name = u.name
            """;

    private static final String COUNT_DEAD = UNCHANGED.formatted(
            """
            r.dead_counted_at is null
                or r.dead_counted_at <= now() - interval '1 microsecond'
                   * case when r.dead_counted_by = :prober then :ownUs else :othersUs end
            """, "dead_answers = r.dead_answers + 1, dead_counted_at = now(), dead_counted_by = :prober");

    private static final String CLEAR =
            UNCHANGED.formatted("r.dead_answers > 0", "dead_answers = 0, dead_counted_at = null");

    private final EntityManager entities;
    private final ResourceConfig config;

    ResourceProbeRepository(EntityManager entities, ResourceConfig config) {
        this.entities = entities;
        this.config = config;
    }

    @Override
    public String name() {
        return "holders of named leases";
    }

    /** Those that are held, and were not renewed for longer than a third of their time, or since we returned. */
    @Override
    @Transactional(TxType.REQUIRES_NEW)
    public SilentPage findSilent(@Nullable String after) {
        List<SilentHolder> holders = statement(entities, SILENT)
                .setParameter("deadTicks", config.deadTicks())
                .setParameter("after", Objects.requireNonNullElse(after, ""))
                .setParameter("limit", PAGE)
                .addScalar("name", String.class)
                .addScalar("epoch", Long.class)
                .addScalar("renewed_at", Instant.class)
                .addScalar("probe", String.class)
                .setTupleTransformer((row, names) ->
                        new SilentHolder((String) row[0], (Long) row[1], (Instant) row[2], (String) row[3]))
                .getResultList();
        return SilentPage.of(holders, PAGE);
    }

    @Override
    @Transactional(TxType.REQUIRES_NEW)
    public void countDead(List<SilentHolder> dead, Turn turn) {
        unchanged(COUNT_DEAD, dead)
                .setParameter("prober", turn.prober())
                .setParameter("ownUs", micros(turn.own()))
                .setParameter("othersUs", micros(turn.others()))
                .executeUpdate();
    }

    @Override
    @Transactional(TxType.REQUIRES_NEW)
    public void clear(List<SilentHolder> alive) {
        unchanged(CLEAR, alive).executeUpdate();
    }

    private NativeQuery<Object[]> unchanged(String sql, List<SilentHolder> holders) {
        return statement(entities, sql)
                .setParameter("names", column(holders, SilentHolder::key, String[]::new))
                .setParameter("epochs", column(holders, SilentHolder::epoch, Long[]::new))
                .setParameter("beats", column(holders, SilentHolder::lastBeatText, String[]::new));
    }
}
