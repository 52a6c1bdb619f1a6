package io.rollcall.delegation;

import static io.rollcall.sql.Statements.scalar;
import static io.rollcall.sql.Statements.statement;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.persistence.EntityManager;
import java.time.Instant;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Counts of delegations. */
@ApplicationScoped
class StatsRepository {
    /** The planner guesses too high a price for an index that has grown; reading the table takes twice as long. */
    private static final String BY_INDEX = "set local enable_seqscan = off";

    /** In two halves, each of which an index answers alone. */
    private static final String COUNTS = """
            select queue, status, count(*) as n from delegation where queue is not null group by queue, status
            union all
            select null, status, count(*) from delegation where queue is null and agent is not null group by status
            """;

    static final String NEVER_BEAT = "select count(*) from delegation d where " + DelegationListing.NEVER_BEAT;

    private static final String OLDEST_QUEUED = "select min(created_at) from delegation where status = :queued";

    private final EntityManager entities;

    StatsRepository(EntityManager entities) {
        this.entities = entities;
    }

    /** Counts them all, in the caller's transaction. */
    Stats count() {
        statement(entities, BY_INDEX).executeUpdate();
        Map<DelegationStatus, Long> byStatus = zeros();
        Map<String, Map<DelegationStatus, Long>> byQueue = new TreeMap<>();
        List<Object[]> counts = statement(entities, COUNTS)
                .addScalar("queue", String.class)
                .addScalar("status", String.class)
                .addScalar("n", Long.class)
                .getResultList();
        for (Object[] row : counts) {
            DelegationStatus status =
                    DelegationStatus.ofWireName((String) row[1]).orElseThrow();
            byStatus.merge(status, (Long) row[2], Long::sum);
            if (row[0] != null) {
                byQueue.computeIfAbsent((String) row[0], queue -> zeros()).merge(status, (Long) row[2], Long::sum);
            }
        }
        long neverBeat = scalar(entities, NEVER_BEAT, "count", Long.class).getSingleResult();
        @Nullable
        Instant oldest = scalar(entities, OLDEST_QUEUED, "min", Instant.class)
                .setParameter("queued", DelegationStatus.QUEUED.wireName())
                .getSingleResultOrNull();
        return new Stats(byStatus, byQueue, neverBeat, oldest);
    }

    private static Map<DelegationStatus, Long> zeros() {
        Map<DelegationStatus, Long> zeros = new EnumMap<>(DelegationStatus.class);
        Arrays.stream(DelegationStatus.values()).forEach(status -> zeros.put(status, 0L));
        return zeros;
    }
}
