package io.rollcall.tx;

import static io.rollcall.sql.Statements.scalar;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.persistence.EntityManager;

/**
 * Locks on names: for what has no row to lock yet. Held until the running transaction ends, by all replicas alike. A name
 * begins with the kind of thing that it stands for, so that no two kinds meet.
 */
@ApplicationScoped
public class AdvisoryLocks {
    private static final String LOCK = "select cast(%s(hashtextextended(:name, 0)) as text) as locked";
    private static final String EXCLUSIVE = LOCK.formatted("pg_advisory_xact_lock");
    private static final String SHARED = LOCK.formatted("pg_advisory_xact_lock_shared");

    private final EntityManager entities;

    AdvisoryLocks(EntityManager entities) {
        this.entities = entities;
    }

    /** Waits for all who hold the name, and keeps everybody else out. */
    public void lock(String name) {
        lock(EXCLUSIVE, name);
    }

    /** Waits for whoever holds the name alone; others may share it. */
    public void lockShared(String name) {
        lock(SHARED, name);
    }

    private void lock(String sql, String name) {
        scalar(entities, sql, "locked", String.class).setParameter("name", name).getSingleResultOrNull();
    }
}
