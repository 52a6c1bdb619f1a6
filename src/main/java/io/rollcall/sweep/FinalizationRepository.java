package io.rollcall.sweep;

import static io.rollcall.sql.Statements.micros;
import static io.rollcall.sql.Statements.statement;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.persistence.EntityManager;
import java.util.List;
import java.util.UUID;

/** Finds attempts whose run has ended and that nobody finalizes any more. */
@ApplicationScoped
class FinalizationRepository {
    private static final String ABANDONED = """
            select l.delegation_id from lease l cross join beat_acceptance a
            where l.outcome_at is not null and l.delegation_id > :after
              and greatest(l.outcome_at, l.last_beat_at, a.returned_at) + :graceUs * interval '1 microsecond' <= now()
            order by l.delegation_id limit :limit
            """;

    private final EntityManager entities;
    private final SweepConfig config;

    FinalizationRepository(EntityManager entities, SweepConfig config) {
        this.entities = entities;
        this.config = config;
    }

    /** The ids of up to {@code limit} of them, in the order of ids, after a given one. */
    List<UUID> findAbandoned(UUID after, int limit) {
        return statement(entities, ABANDONED)
                .setParameter("after", after)
                .setParameter("graceUs", micros(config.finalizationGrace()))
                .setParameter("limit", limit)
                .addScalar("delegation_id", UUID.class)
                .setTupleTransformer((row, names) -> (UUID) row[0])
                .getResultList();
    }
}
