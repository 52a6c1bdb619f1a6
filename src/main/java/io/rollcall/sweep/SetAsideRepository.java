package io.rollcall.sweep;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.persistence.EntityManager;
import jakarta.transaction.Transactional;
import jakarta.transaction.Transactional.TxType;
import java.util.List;
import java.util.UUID;

/** Rows that could not be judged or written. They are left alone for a pause that grows with each failure. */
@ApplicationScoped
class SetAsideRepository {
    /** One minute, doubled with each failure, an hour at most. */
    private static final String SET_ASIDE = """
            insert into set_aside (delegation_id, failures, first_at, last_at, until, error)
            values (:id, 1, now(), now(), now() + interval '1 minute', :error)
            on conflict (delegation_id) do update set
                failures = set_aside.failures + 1, last_at = now(), error = excluded.error,
                until = now() + least(interval '1 hour', interval '1 minute' * power(2, least(set_aside.failures, 10)))
            """;

    private static final String FORGET = "delete from set_aside where delegation_id = any(:ids)";

    private static final int ERROR_LENGTH = 1_000;

    private final EntityManager entities;

    SetAsideRepository(EntityManager entities) {
        this.entities = entities;
    }

    /** Sets one aside, with what went wrong. */
    @Transactional(TxType.REQUIRES_NEW)
    void setAside(UUID id, Throwable failure) {
        String error = String.valueOf(rootOf(failure).getMessage()).replace("\0", "");
        entities.createNativeQuery(SET_ASIDE)
                .setParameter("id", id)
                .setParameter("error", error.substring(0, Math.min(error.length(), ERROR_LENGTH)))
                .executeUpdate();
    }

    /** Some have been written after all: what may befall them later begins with a short pause again. */
    void forget(List<UUID> ids) {
        entities.createNativeQuery(FORGET)
                .setParameter("ids", ids.toArray(UUID[]::new))
                .executeUpdate();
    }

    private static Throwable rootOf(Throwable failure) {
        Throwable root = failure;
        while (root.getCause() != null && root.getCause() != root) {
            root = root.getCause();
        }
        return root;
    }
}
