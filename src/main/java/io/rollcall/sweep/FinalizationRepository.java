package io.rollcall.sweep;

import static io.rollcall.sql.Statements.micros;
import static io.rollcall.sql.Statements.statement;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.persistence.EntityManager;
import java.util.List;
import java.util.UUID;

/** Finds attempts whose run has ended: those that nobody finalizes any more, and those that only wait for their gate. */
@ApplicationScoped
class FinalizationRepository {
    private static final String DUE = """
            select l.delegation_id, d.outcome_exit_code = 0 and d.gate is not null and d.cancel_by is null as asks_gate
            from lease l join delegation d on d.id = l.delegation_id cross join beat_acceptance a
            where l.outcome_at is not null and l.delegation_id > :after
              and (d.outcome_reported
                   or greatest(l.outcome_at, l.last_beat_at, a.returned_at) + :graceUs * interval '1 microsecond' <= now())
            order by l.delegation_id limit :limit
            """;

    private final EntityManager entities;
    private final SweepConfig config;

    FinalizationRepository(EntityManager entities, SweepConfig config) {
        this.entities = entities;
        this.config = config;
    }

    /** Up to {@code limit} of them, in the order of ids, after a given one. */
    List<Finalizing> findDue(UUID after, int limit) {
        return statement(entities, DUE)
                .setParameter("after", after)
                .setParameter("graceUs", micros(config.finalizationGrace()))
                .setParameter("limit", limit)
                .addScalar("delegation_id", UUID.class)
                .addScalar("asks_gate", Boolean.class)
                .setTupleTransformer((row, names) -> new Finalizing((UUID) row[0], (Boolean) row[1]))
                .getResultList();
    }
}
