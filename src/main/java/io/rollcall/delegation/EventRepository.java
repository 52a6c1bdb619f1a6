package io.rollcall.delegation;

import static io.rollcall.sql.Statements.column;
import static io.rollcall.sql.Statements.scalar;
import static io.rollcall.sql.Statements.statement;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.persistence.EntityManager;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The history. Only ever appended to, by whoever holds the lock of the delegation's row: that is what numbers it. */
@ApplicationScoped
public class EventRepository {
    private static final String APPEND = """
            insert into delegation_event
                (delegation_id, seq, at, kind, from_status, to_status, reason, cause, epoch, actor, rule, data)
            select u.id,
                   u.n + coalesce((select max(e.seq) from delegation_event e where e.delegation_id = u.id), 0),
                   now(), u.kind, u.from_status, u.to_status, u.reason, u.cause, u.epoch, u.actor, u.rule,
                   cast(u.data as jsonb)
            from unnest(cast(:ids as uuid[]), cast(:numbers as bigint[]), cast(:kinds as text[]),
                        cast(:froms as text[]), cast(:tos as text[]), cast(:reasons as text[]),
                        cast(:causes as text[]), cast(:epochs as bigint[]), cast(:actors as text[]),
                        cast(:rules as text[]), cast(:datas as text[]))
                as u(id, n, kind, from_status, to_status, reason, cause, epoch, actor, rule, data)
            order by u.id, u.n
            """;

    private static final String PAGE = """
            select seq, at, kind, from_status, to_status, reason, cause, epoch, actor, rule, cast(data as text) as data
            from delegation_event where delegation_id = :id and seq > :after order by seq limit :limit
            """;

    private static final String CLAIMANT = """
            select actor from delegation_event
            where delegation_id = :id and epoch = :epoch and kind = 'transition' and to_status = 'dispatched' limit 1
            """;

    private static final String LAST_SEQ =
            "select coalesce(max(seq), 0) from delegation_event where delegation_id = :id";

    private static final String LATE_REPORT = """
            select exists (select from delegation_event
                           where delegation_id = :id and kind = 'late_report' and data ->> 'bodyHash' = :hash)
            """;

    private final EntityManager entities;
    private final ObjectMapper json;

    EventRepository(EntityManager entities, ObjectMapper json) {
        this.entities = entities;
        this.json = json;
    }

    /**
     * Appends events in their order. The caller's transaction has written or locked the row of each delegation that they
     * belong to.
     */
    public void append(List<DelegationEvent> events) {
        if (events.isEmpty()) {
            return;
        }
        entities.flush(); // the versioned rows come first: whoever lost the race must not get here
        statement(entities, APPEND)
                .setParameter("ids", column(events, DelegationEvent::delegationId, UUID[]::new))
                .setParameter("numbers", numbers(events))
                .setParameter("kinds", column(events, event -> event.kind().wireName(), String[]::new))
                .setParameter("froms", column(events, event -> word(event.from()), String[]::new))
                .setParameter("tos", column(events, event -> word(event.to()), String[]::new))
                .setParameter("reasons", column(events, event -> word(event.reason()), String[]::new))
                .setParameter("causes", column(events, event -> word(event.cause()), String[]::new))
                .setParameter("epochs", column(events, DelegationEvent::epoch, Long[]::new))
                .setParameter("actors", column(events, DelegationEvent::actor, String[]::new))
                .setParameter("rules", column(events, DelegationEvent::rule, String[]::new))
                .setParameter("datas", column(events, event -> toJson(event.data()), String[]::new))
                .executeUpdate();
    }

    /** Up to {@code limit} lines of one history, oldest first, after a number. */
    public List<RecordedEvent> page(UUID delegationId, long after, int limit) {
        return statement(entities, PAGE)
                .setParameter("id", delegationId)
                .setParameter("after", after)
                .setParameter("limit", limit)
                .addScalar("seq", Long.class)
                .addScalar("at", Instant.class)
                .addScalar("kind", String.class)
                .addScalar("from_status", String.class)
                .addScalar("to_status", String.class)
                .addScalar("reason", String.class)
                .addScalar("cause", String.class)
                .addScalar("epoch", Long.class)
                .addScalar("actor", String.class)
                .addScalar("rule", String.class)
                .addScalar("data", String.class)
                .setTupleTransformer((row, names) -> new RecordedEvent(
                        (Long) row[0],
                        (Instant) row[1],
                        (String) row[2],
                        (String) row[3],
                        (String) row[4],
                        (String) row[5],
                        (String) row[6],
                        (Long) row[7],
                        (String) row[8],
                        (String) row[9],
                        (String) row[10]))
                .getResultList();
    }

    /** Whether a refused report with that hash stands in the history already. */
    boolean hasLateReport(UUID delegationId, String hash) {
        return scalar(entities, LATE_REPORT, "exists", Boolean.class)
                .setParameter("id", delegationId)
                .setParameter("hash", hash)
                .getSingleResult();
    }

    /** Who claimed a delegation under an epoch, if it was claimed: as the actor of its history. */
    Optional<String> findClaimant(UUID delegationId, long epoch) {
        return scalar(entities, CLAIMANT, "actor", String.class)
                .setParameter("id", delegationId)
                .setParameter("epoch", epoch)
                .uniqueResultOptional();
    }

    /** The number of the last line of one history, 0 where there is none. */
    long lastSeq(UUID delegationId) {
        return scalar(entities, LAST_SEQ, "coalesce", Long.class)
                .setParameter("id", delegationId)
                .getSingleResult();
    }

    /** 1 for the first event of each delegation among these, 2 for its second, and so on. */
    private static Long[] numbers(List<DelegationEvent> events) {
        Map<UUID, Long> counts = new HashMap<>();
        List<Long> numbers = new ArrayList<>(events.size());
        events.forEach(event -> numbers.add(counts.merge(event.delegationId(), 1L, Long::sum)));
        return numbers.toArray(Long[]::new);
    }

    private @Nullable String toJson(Map<String, Object> data) {
        try {
            return data.isEmpty() ? null : json.writeValueAsString(data);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("Event data that is not JSON", e);
        }
    }

    private static @Nullable String word(@Nullable DelegationStatus status) {
        return status == null ? null : status.wireName();
    }

    private static @Nullable String word(@Nullable Reason reason) {
        return reason == null ? null : reason.wireName();
    }
}
