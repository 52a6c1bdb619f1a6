package io.rollcall.agent;

import static io.rollcall.sql.Statements.statement;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.persistence.EntityManager;
import jakarta.transaction.Transactional;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/** Who holds what, by one scan of the leases. */
@ApplicationScoped
public class AgentRepository {
    private static final String PAGE = """
            select l.holder, count(*) filter (where not l.stuck) as in_flight, count(*) filter (where l.stuck) as stuck,
                   max(l.last_beat_at) as last_beat_at,
                   (array_agg(l.delegation_id order by l.acquired_at, l.delegation_id))[1:100] as holds
            from lease l where l.holder > :after group by l.holder order by l.holder limit :limit
            """;

    private final EntityManager entities;

    AgentRepository(EntityManager entities) {
        this.entities = entities;
    }

    /** Up to {@code limit} agents that hold anything, by name, after a given one. */
    @Transactional
    public List<AgentHoldings> page(String after, int limit) {
        return statement(entities, PAGE)
                .setParameter("after", after)
                .setParameter("limit", limit)
                .addScalar("holder", String.class)
                .addScalar("in_flight", Long.class)
                .addScalar("stuck", Long.class)
                .addScalar("last_beat_at", Instant.class)
                .addScalar("holds", UUID[].class)
                .setTupleTransformer((row, names) -> new AgentHoldings(
                        (String) row[0], (Long) row[1], (Long) row[2], (Instant) row[3], List.of((UUID[]) row[4])))
                .getResultList();
    }
}
