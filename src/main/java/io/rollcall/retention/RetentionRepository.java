package io.rollcall.retention;

import static io.rollcall.sql.Statements.micros;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.persistence.EntityManager;
import jakarta.transaction.Transactional;
import jakarta.transaction.Transactional.TxType;
import java.time.Duration;

/** Deletes final delegations that are old enough. */
@ApplicationScoped
class RetentionRepository {
    /** Only final rows have a finished_at; what hangs on a row goes with it. */
    private static final String PURGE = """
            delete from delegation where id in (
                select d.id from delegation d left join queue q on q.name = d.queue
                where d.finished_at < now() - coalesce(q.retention_us, :retentionUs) * interval '1 microsecond'
                order by d.finished_at limit :limit
                for update of d skip locked)
            """;

    private final EntityManager entities;

    RetentionRepository(EntityManager entities) {
        this.entities = entities;
    }

    /** Deletes up to {@code limit} that ended longer ago than their queue, or else the setting, says. Returns how many. */
    @Transactional(TxType.REQUIRES_NEW)
    int purge(Duration retention, int limit) {
        return entities.createNativeQuery(PURGE)
                .setParameter("retentionUs", micros(retention))
                .setParameter("limit", limit)
                .executeUpdate();
    }
}
