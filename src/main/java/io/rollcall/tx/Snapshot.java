package io.rollcall.tx;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.persistence.EntityManager;

/** Makes all statements of a reading transaction see one state, so that what stands in several tables fits together. */
@ApplicationScoped
public class Snapshot {
    private static final String BEGIN = "set transaction isolation level repeatable read, read only";

    private final EntityManager entities;

    Snapshot(EntityManager entities) {
        this.entities = entities;
    }

    /** Must come before every other statement of the running transaction. */
    public void begin() {
        entities.createNativeQuery(BEGIN).executeUpdate();
    }
}
