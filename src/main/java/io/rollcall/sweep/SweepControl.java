package io.rollcall.sweep;

import static io.rollcall.sql.Statements.scalar;
import static io.rollcall.sql.Statements.statement;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.persistence.EntityManager;
import jakarta.transaction.Transactional;
import jakarta.transaction.Transactional.TxType;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What the sweepers of all replicas obey: one row of the database. */
@ApplicationScoped
public class SweepControl {
    private static final String READ = "select paused, braking_since from sweeper_control";
    private static final String PAUSE = "update sweeper_control set paused = :paused where paused <> :paused";

    /** Keeps the start of a hold that is under way; a new one starts now. */
    private static final String BRAKE = """
            update sweeper_control set braking_since = coalesce(braking_since, now())
            returning now() - braking_since < :maxHoldUs * interval '1 microsecond' as holds
            """;

    private static final String RELEASE =
            "update sweeper_control set braking_since = null where braking_since is not null";

    private final EntityManager entities;

    SweepControl(EntityManager entities) {
        this.entities = entities;
    }

    /**
     * What stands in the row.
     *
     * @param paused whether ticks do nothing
     * @param brakingSince when the brake first held back; null where its condition is not met
     */
    public record State(boolean paused, @Nullable Instant brakingSince) {}

    /** What is in force now. */
    @Transactional
    public State read() {
        return statement(entities, READ)
                .addScalar("paused", Boolean.class)
                .addScalar("braking_since", Instant.class)
                .setTupleTransformer((row, names) -> new State((Boolean) row[0], (Instant) row[1]))
                .getSingleResult();
    }

    /** Makes ticks do nothing, or do their work again. */
    @Transactional
    public void pause(boolean paused) {
        entities.createNativeQuery(PAUSE).setParameter("paused", paused).executeUpdate();
    }

    /**
     * The condition of the brake is met.
     *
     * @return whether it holds back: not any more once it has held for its longest time
     */
    @Transactional(TxType.REQUIRES_NEW)
    boolean brake(long maxHoldUs) {
        return scalar(entities, BRAKE, "holds", Boolean.class)
                .setParameter("maxHoldUs", maxHoldUs)
                .getSingleResult();
    }

    /** The condition of the brake is not met. */
    @Transactional(TxType.REQUIRES_NEW)
    void release() {
        entities.createNativeQuery(RELEASE).executeUpdate();
    }
}
