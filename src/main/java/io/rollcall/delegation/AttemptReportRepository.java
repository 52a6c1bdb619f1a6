package io.rollcall.delegation;

import static io.rollcall.sql.Statements.scalar;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.persistence.EntityManager;
import java.util.Optional;
import java.util.UUID;

/** The last accepted report of each attempt, so that the same one again, its answer lost, gets the same answer. */
@ApplicationScoped
class AttemptReportRepository {
    private static final String FIND = """
            select disposition from attempt_report
            where delegation_id = :id and epoch = :epoch and status = :status and body_hash = :hash
            """;

    private static final String REMEMBER = """
            insert into attempt_report (delegation_id, epoch, status, body_hash, disposition)
            values (:id, :epoch, :status, :hash, :disposition)
            on conflict (delegation_id, epoch) do update
            set status = excluded.status, body_hash = excluded.body_hash, disposition = excluded.disposition
            """;

    private static final String DISPOSITION =
            "select disposition from attempt_report where delegation_id = :id and epoch = :epoch";

    private static final String SETTLE = """
            update attempt_report set disposition = :disposition
            where delegation_id = :id and epoch = :epoch and disposition = 'pending'
            """;

    private final EntityManager entities;

    AttemptReportRepository(EntityManager entities) {
        this.entities = entities;
    }

    /** The disposition that the same report was answered with before, if it was accepted. */
    Optional<String> find(UUID id, long epoch, String status, byte[] hash) {
        return scalar(entities, FIND, "disposition", String.class)
                .setParameter("id", id)
                .setParameter("epoch", epoch)
                .setParameter("status", status)
                .setParameter("hash", hash)
                .uniqueResultOptional();
    }

    /** The disposition of the last accepted report of an attempt. */
    Optional<String> findDisposition(UUID id, long epoch) {
        return scalar(entities, DISPOSITION, "disposition", String.class)
                .setParameter("id", id)
                .setParameter("epoch", epoch)
                .uniqueResultOptional();
    }

    /** Notes what a report has led to that was pending. */
    void settle(UUID id, long epoch, Disposition disposition) {
        entities.createNativeQuery(SETTLE)
                .setParameter("id", id)
                .setParameter("epoch", epoch)
                .setParameter("disposition", disposition.wireName())
                .executeUpdate();
    }

    /** Remembers an accepted report in place of an earlier one of the same attempt. */
    void remember(UUID id, long epoch, String status, byte[] hash, Disposition disposition) {
        entities.createNativeQuery(REMEMBER)
                .setParameter("id", id)
                .setParameter("epoch", epoch)
                .setParameter("status", status)
                .setParameter("hash", hash)
                .setParameter("disposition", disposition.wireName())
                .executeUpdate();
    }
}
