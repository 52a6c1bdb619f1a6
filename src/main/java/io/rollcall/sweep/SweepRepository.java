package io.rollcall.sweep;

import static io.rollcall.sql.Statements.micros;
import static io.rollcall.sql.Statements.scalar;
import static io.rollcall.sql.Statements.statement;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.persistence.EntityManager;
import jakarta.transaction.Transactional;
import jakarta.transaction.Transactional.TxType;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Reports of the last sweeps. */
@ApplicationScoped
class SweepRepository {
    /** How many reports are kept. */
    private static final int KEPT = 1_000;

    private static final String INSERT = """
            insert into sweep (started_at, duration_us, replica, origin, dry_run, forced, braked, verdicts, conflicts,
                               errors, held_back)
            values (:startedAt, :durationUs, :replica, :origin, :dryRun, :forced, :braked, cast(:verdicts as jsonb),
                    :conflicts, :errors, :heldBack)
            returning id
            """;

    private static final String TRIM = "delete from sweep where id <= :newest - :kept";

    private static final String LATEST = """
            select started_at, duration_us, replica, origin, dry_run, forced, braked, cast(verdicts as text) as verdicts,
                   conflicts, errors, held_back
            from sweep order by id desc limit :limit
            """;

    private final EntityManager entities;
    private final ObjectMapper json;

    SweepRepository(EntityManager entities, ObjectMapper json) {
        this.entities = entities;
        this.json = json;
    }

    /** Keeps a report, and lets go of those that are too old. */
    @Transactional(TxType.REQUIRES_NEW)
    void keep(SweepReport report) {
        long id = scalar(entities, INSERT, "id", Long.class)
                .setParameter("startedAt", report.startedAt())
                .setParameter("durationUs", micros(report.duration()))
                .setParameter("replica", report.replica())
                .setParameter("origin", report.origin())
                .setParameter("dryRun", report.dryRun())
                .setParameter("forced", report.forced())
                .setParameter("braked", report.braked())
                .setParameter("verdicts", toJson(report.verdicts()))
                .setParameter("conflicts", report.conflicts())
                .setParameter("errors", report.errors())
                .setParameter("heldBack", report.heldBack())
                .getSingleResult();
        entities.createNativeQuery(TRIM)
                .setParameter("newest", id)
                .setParameter("kept", KEPT)
                .executeUpdate();
    }

    /** The latest reports, newest first. */
    @Transactional
    List<SweepReport> latest(int limit) {
        return statement(entities, LATEST)
                .setParameter("limit", limit)
                .addScalar("started_at", Instant.class)
                .addScalar("duration_us", Long.class)
                .addScalar("replica", String.class)
                .addScalar("origin", String.class)
                .addScalar("dry_run", Boolean.class)
                .addScalar("forced", Boolean.class)
                .addScalar("braked", Boolean.class)
                .addScalar("verdicts", String.class)
                .addScalar("conflicts", Integer.class)
                .addScalar("errors", Integer.class)
                .addScalar("held_back", Integer.class)
                .setTupleTransformer((row, names) -> new SweepReport(
                        (Instant) row[0],
                        Duration.of((Long) row[1], ChronoUnit.MICROS),
                        (String) row[2],
                        (String) row[3],
                        (Boolean) row[4],
                        (Boolean) row[5],
                        (Boolean) row[6],
                        fromJson((String) row[7]),
                        (Integer) row[8],
                        (Integer) row[9],
                        (Integer) row[10]))
                .getResultList();
    }

    private String toJson(Map<VerdictName, Integer> verdicts) {
        try {
            return json.writeValueAsString(verdicts.entrySet().stream()
                    .collect(Collectors.toMap(entry -> entry.getKey().wireName(), Map.Entry::getValue)));
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("Verdicts that are not JSON", e);
        }
    }

    /** Words of other versions are left out. */
    private Map<VerdictName, Integer> fromJson(String text) {
        try {
            Map<String, Integer> stored = json.readValue(text, new TypeReference<>() {});
            Map<VerdictName, Integer> verdicts = new EnumMap<>(VerdictName.class);
            Arrays.stream(VerdictName.values())
                    .forEach(verdict -> verdicts.put(verdict, stored.getOrDefault(verdict.wireName(), 0)));
            return verdicts;
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("A stored report that is not JSON", e);
        }
    }
}
