package io.rollcall.lease;

import static io.rollcall.sql.Statements.scalar;

import io.quarkus.narayana.jta.QuarkusTransaction;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.persistence.EntityManager;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The one row that says when beats were last being accepted by any replica, and when again after a gap. */
@ApplicationScoped
public class AcceptanceRepository {
    /** A gap of more than 5 s between two notes is an outage; the note that ends it says when beats came in again. */
    private static final String NOTE = """
            update beat_acceptance set
                returned_at = case when noted_at < now() - interval '5 seconds'
                                   then greatest(returned_at, now()) else returned_at end,
                noted_at = greatest(noted_at, now())
            returning returned_at = now() as returned
            """;

    private static final String RETURNED =
            "select nullif(returned_at, '-infinity') as returned_at from beat_acceptance";

    private final EntityManager entities;

    AcceptanceRepository(EntityManager entities) {
        this.entities = entities;
    }

    /**
     * Notes, in a transaction of its own, that beats are being accepted.
     *
     * @return whether this note ended an outage
     */
    public boolean note() {
        return QuarkusTransaction.requiringNew()
                .call(() -> scalar(entities, NOTE, "returned", Boolean.class).getSingleResult());
    }

    /** When the service last came back from an outage, the first start included; empty before that. */
    public Optional<Instant> returnedAt() {
        @Nullable
        Instant returnedAt =
                scalar(entities, RETURNED, "returned_at", Instant.class).getSingleResultOrNull();
        return Optional.ofNullable(returnedAt);
    }
}
