package io.rollcall.time;

import static io.rollcall.sql.Statements.scalar;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.persistence.EntityManager;
import java.time.Instant;

/**
 * The one clock: the database's {@code now()}, the start of the running transaction, in microseconds. The clocks of
 * agents and replicas decide nothing.
 */
@ApplicationScoped
public class DatabaseClock {
    private final EntityManager entities;

    DatabaseClock(EntityManager entities) {
        this.entities = entities;
    }

    /** When the running transaction began, by the database's clock; the same however often it is asked. */
    public Instant now() {
        return (Instant) scalar(entities, "select now()", "now", Instant.class).getSingleResult();
    }
}
