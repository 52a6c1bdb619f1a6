package io.rollcall.delegation;

import static io.rollcall.sql.Statements.statement;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.persistence.EntityManager;
import java.time.Instant;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.hibernate.query.NativeQuery;
import org.jspecify.annotations.Nullable;

/**
 * Pages of delegations. Each status is a range of an index, read no further than the page needs, and the ranges are
 * merged: so a page costs the same however many rows lie behind it.
 */
@ApplicationScoped
class DelegationListing {
    /** Dispatched to a named agent, still under its first epoch: a claim would have counted as a beat. */
    static final String NEVER_BEAT = "(d.status = 'dispatched' and d.agent is not null and d.epoch = 1)";

    private static final String DEAD_LETTER = "(d.status = 'failed' and d.reason in (:deadLetterReasons))";

    private final EntityManager entities;
    private final ObjectMapper json;

    DelegationListing(EntityManager entities, ObjectMapper json) {
        this.entities = entities;
        this.json = json;
    }

    /** Up to {@code limit} delegations in order, after a position. */
    List<PagePosition> page(DelegationFilter filter, DelegationSort sort, @Nullable PagePosition after, int limit) {
        Select select = select(filter, sort, after, limit);
        NativeQuery<Object[]> query = statement(entities, select.sql());
        select.parameters().forEach(query::setParameter);
        return query.addScalar("id", UUID.class)
                .addScalar("key", Instant.class)
                .setTupleTransformer((row, names) -> new PagePosition((Instant) row[1], (UUID) row[0]))
                .getResultList();
    }

    /** A statement and the values of its parameters. */
    record Select(String sql, Map<String, Object> parameters) {}

    /** The statement that reads a page. */
    Select select(DelegationFilter filter, DelegationSort sort, @Nullable PagePosition after, int limit) {
        Map<String, Object> parameters = new HashMap<>();
        parameters.put("statuses", DelegationStatus.wireNames(statuses(filter)));
        parameters.put("limit", limit);
        String order = " order by key %1$s, id %1$s limit :limit".formatted(sort.direction());
        String sql = "select p.id, p.key from unnest(cast(:statuses as text[])) as s(status) cross join lateral ("
                + "select d.id, d." + sort.column() + " as key from delegation d where d.status = s.status"
                + conditions(filter, sort, after, parameters)
                + order.replace("key", "d." + sort.column()).replace(", id", ", d.id") + ") p"
                + order.replace("key", "p.key").replace(", id", ", p.id");
        return new Select(sql, parameters);
    }

    private static Set<DelegationStatus> statuses(DelegationFilter filter) {
        return filter.statuses().isEmpty() ? EnumSet.allOf(DelegationStatus.class) : filter.statuses();
    }

    private String conditions(
            DelegationFilter filter,
            DelegationSort sort,
            @Nullable PagePosition after,
            Map<String, Object> parameters) {
        return Stream.of(
                        condition("d.reason = :reason", "reason", filter.reason(), parameters),
                        condition("d.cause = :cause", "cause", filter.cause(), parameters),
                        condition("d.queue = :queue", "queue", filter.queue(), parameters),
                        condition("coalesce(d.holder, d.agent) = :agent", "agent", filter.agent(), parameters),
                        condition("d.caller = :caller", "caller", filter.caller(), parameters),
                        condition("d.labels @> cast(:label as jsonb)", "label", toJson(filter.label()), parameters),
                        condition("d.created_at > :createdAfter", "createdAfter", filter.createdAfter(), parameters),
                        condition("d.created_at < :createdBefore", "createdBefore", filter.createdBefore(), parameters),
                        deadLetter(filter.deadLetter(), parameters),
                        filter.neverBeat() == null ? null : (filter.neverBeat() ? "" : "not ") + NEVER_BEAT,
                        position(sort, after, parameters))
                .filter(Objects::nonNull)
                .map(condition -> " and " + condition)
                .collect(Collectors.joining());
    }

    private static @Nullable String condition(
            String sql, String name, @Nullable Object value, Map<String, Object> parameters) {
        if (value == null) {
            return null;
        }
        parameters.put(name, value);
        return sql;
    }

    private static @Nullable String deadLetter(@Nullable Boolean wanted, Map<String, Object> parameters) {
        if (wanted == null) {
            return null;
        }
        parameters.put(
                "deadLetterReasons",
                Arrays.stream(Reason.values())
                        .filter(Reason::isDeadLetter)
                        .map(Reason::wireName)
                        .toList());
        return wanted ? DEAD_LETTER : "not coalesce(" + DEAD_LETTER + ", false)";
    }

    private static @Nullable String position(
            DelegationSort sort, @Nullable PagePosition after, Map<String, Object> parameters) {
        if (after == null) {
            return null;
        }
        parameters.put("afterKey", after.key());
        parameters.put("afterId", after.id());
        return "(d.%s, d.id) %s (:afterKey, :afterId)".formatted(sort.column(), sort.comparison());
    }

    private @Nullable String toJson(DelegationFilter.@Nullable Label label) {
        try {
            return label == null ? null : json.writeValueAsString(Map.of(label.key(), label.value()));
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("A label that is not JSON", e);
        }
    }
}
