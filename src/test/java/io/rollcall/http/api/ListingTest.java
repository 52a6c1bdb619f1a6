package io.rollcall.http.api;

import static io.rollcall.testing.TestApi.body;
import static io.rollcall.testing.TestApi.direct;
import static io.rollcall.testing.TestApi.listIds;
import static io.rollcall.testing.TestApi.queued;
import static io.rollcall.testing.TestApi.unique;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import io.quarkus.test.junit.QuarkusTest;
import io.restassured.path.json.JsonPath;
import io.rollcall.testing.TestApi;
import io.rollcall.testing.TestDelegation;
import io.rollcall.testing.TestSql;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the filters find and in which order. Each test has a caller of its own, and filters by it. */
@QuarkusTest
class ListingTest {
    private final String caller = unique("caller");

    @Test
    void filtersByOneOrSeveralStatuses() {
        // given
        UUID queued = add(queued()).id();
        UUID dispatched = add(direct()).id();
        UUID inProgress = add(direct()).begun().id();
        UUID stuck = add(direct()).begun().stuck().id();
        UUID completed = add(direct()).closed("completed").id();
        UUID failed = add(direct()).closed("failed").id();
        UUID cancelled = add(direct()).closed("cancelled").id();

        // then
        expect(Set.of(queued), "status", "queued");
        expect(Set.of(dispatched), "status", "dispatched");
        expect(Set.of(inProgress), "status", "in_progress");
        expect(Set.of(stuck), "status", "stuck");
        expect(Set.of(completed), "status", "completed");
        expect(Set.of(failed), "status", "failed");
        expect(Set.of(cancelled), "status", "cancelled");
        expect(Set.of(stuck, failed), "status", "stuck,failed");
        expect(Set.of(stuck, failed), "status", List.of("failed", "stuck"));
        expect(Set.of(queued, dispatched, inProgress, stuck, completed, failed, cancelled));
    }

    @Test
    void filtersByReasonAndByCause() {
        UUID stale = add(direct()).begun().stuck().id();
        UUID byAgent = add(direct()).begun().id();
        TestApi.delegation(byAgent).report("failed").then().statusCode(200);
        UUID exhausted =
                add(direct().with("recovery", "requeue").with("maxRequeues", 0)).id();
        TestApi.delegation(exhausted)
                .report("failed", "epoch", 1, "error", body("class", "timeout"))
                .then()
                .statusCode(200);

        expect(Set.of(stale), "reason", "heartbeat_stale");
        expect(Set.of(byAgent), "reason", "agent_reported");
        expect(Set.of(exhausted), "reason", "retries_exhausted");
        expect(Set.of(stale), "cause", "heartbeat_stale");
        expect(Set.of(byAgent, exhausted), "cause", "agent_reported");
        expect(Set.of(), "reason", "a_word_of_the_future");
    }

    @Test
    void filtersByQueueAgentCallerAndLabel() {
        TestApi.Draft waiting = queued().with("labels", body("team", "search", "size", "a:b"));
        TestApi.Draft handed = direct().with("labels", body("team", "ads"));
        UUID one = add(waiting).id();
        UUID other = add(handed).id();
        direct().with("labels", body("team", "search")).register();

        expect(Set.of(one), "queue", waiting.get("queue"));
        expect(Set.of(other), "agent", handed.get("agent"));
        assertEquals(List.of(other), listIds("agent", handed.get("agent")));
        expect(Set.of(one), "label", "team:search");
        expect(Set.of(other), "label", "team:ads");
        expect(Set.of(one), "label", "size:a:b");
        expect(Set.of(), "label", "team:");
        expect(Set.of(), "label", "search:team");
    }

    @Test
    void tellsDeadLettersFromOtherFailures() {
        UUID failed = add(direct()).closed("failed").id();
        UUID open = add(direct()).id();
        UUID exhausted =
                add(direct().with("recovery", "requeue").with("maxRequeues", 0)).id();
        TestApi.delegation(exhausted).report("failed", "epoch", 1, "error", body("httpStatus", 503));
        UUID hopeless = add(direct().with("recovery", "requeue")).id();
        TestApi.delegation(hopeless).report("failed", "epoch", 1, "error", body("httpStatus", 401));

        expect(Set.of(exhausted, hopeless), "deadLetter", true);
        expect(Set.of(failed, open), "deadLetter", false);
    }

    @Test
    void findsThoseThatWereDispatchedAndNeverBeat() {
        UUID silent = add(direct()).id();
        UUID waiting = add(queued()).id();
        UUID beaten = add(direct()).begun().id();
        UUID ended = add(direct()).closed("completed").id();

        expect(Set.of(silent), "neverBeat", true);
        expect(Set.of(waiting, beaten, ended), "neverBeat", false);
    }

    @Test
    void filtersByTheTimeOfRegistrationToTheMicrosecond() {
        Instant at = Instant.parse("2021-06-01T12:00:00.000005Z");
        UUID before = createdAt(at.minus(1, ChronoUnit.MICROS));
        UUID exactly = createdAt(at);
        UUID after = createdAt(at.plus(1, ChronoUnit.MICROS));

        expect(Set.of(after), "createdAfter", at);
        expect(Set.of(before), "createdBefore", at);
        expect(
                Set.of(exactly),
                "createdAfter",
                at.minus(1, ChronoUnit.MICROS),
                "createdBefore",
                at.plus(1, ChronoUnit.MICROS));
        expect(Set.of(exactly, after), "createdAfter", "2021-06-01T17:45:00.000004+05:45");
    }

    @Test
    void combinesFilters() {
        TestApi.Draft draft = queued().with("labels", body("team", "search"));
        UUID both = add(draft).id();
        TestApi.delegation(both).closed("failed");
        add(queued().with("queue", draft.get("queue")));
        add(direct().with("labels", body("team", "search"))).closed("failed");

        expect(Set.of(both), "status", "failed", "label", "team:search", "queue", draft.get("queue"));
        expect(Set.of(), "status", "failed", "neverBeat", true);
    }

    @Test
    void sortsAsAsked() {
        // given three whose orders by registration, change and deadline all differ
        UUID first = add(direct()).id();
        UUID second = add(direct()).id();
        UUID third = add(direct()).id();
        times(first, "2021-01-01T00:00:01Z", "2021-01-01T00:00:06Z", "2121-01-01T00:00:02Z");
        times(second, "2021-01-01T00:00:02Z", "2021-01-01T00:00:04Z", "2121-01-01T00:00:03Z");
        times(third, "2021-01-01T00:00:03Z", "2021-01-01T00:00:05Z", "2121-01-01T00:00:01Z");

        // then
        assertEquals(List.of(third, second, first), listIds("caller", caller));
        assertEquals(List.of(third, second, first), listIds("caller", caller, "sort", "-createdAt"));
        assertEquals(List.of(first, second, third), listIds("caller", caller, "sort", "createdAt"));
        assertEquals(List.of(first, third, second), listIds("caller", caller, "sort", "-updatedAt"));
        assertEquals(List.of(third, first, second), listIds("caller", caller, "sort", "deadlineAt"));
    }

    @Test
    void sortsAcrossStatuses() {
        UUID first = add(direct()).closed("completed").id();
        UUID second = add(direct()).id();
        UUID third = add(direct()).closed("completed").id();
        UUID fourth = add(queued()).id();

        assertEquals(List.of(first, second, third, fourth), listIds("caller", caller, "sort", "createdAt"));
        assertEquals(
                List.of(third, second, first), listIds("caller", caller, "status", List.of("dispatched", "completed")));
    }

    @Test
    void leavesPayloadsAndResultsOutOfListsButNothingElse() {
        TestDelegation done = add(direct().with("payload", body("n", 1)).with("labels", body("k", "v")));
        done.begun().report("completed", "result", body("n", 2)).then().statusCode(200);
        TestDelegation open = add(direct().with("payload", body("n", 1)));

        List<Map<String, Object>> items = TestApi.list("caller", caller).getList("items");

        for (TestDelegation one : List.of(done, open)) {
            JsonPath alone = one.read();
            assertNotNull(alone.get("payload"));
            Map<String, Object> expected = new java.util.LinkedHashMap<>(alone.getMap(""));
            expected.keySet().removeAll(Set.of("payload", "result"));
            Map<String, Object> listed = items.stream()
                    .filter(item -> one.id().toString().equals(item.get("id")))
                    .findFirst()
                    .orElseThrow();
            assertEquals(expected, listed);
        }
    }

    @Test
    void showsTheLeaseInLists() {
        TestDelegation begun = add(direct()).begun();

        Map<String, Object> lease = TestApi.list("caller", caller).getMap("items[0].lease");

        assertEquals(begun.read().getMap("lease"), lease);
        assertFalse(lease.isEmpty());
    }

    private TestDelegation add(TestApi.Draft draft) {
        return draft.with("caller", caller).register();
    }

    private UUID createdAt(Instant at) {
        UUID id = add(direct()).id();
        TestSql.execute("update delegation set created_at = ? where id = ?", at, id);
        return id;
    }

    private static void times(UUID id, String createdAt, String updatedAt, String deadlineAt) {
        TestSql.execute(
                "update delegation set created_at = ?, updated_at = ?, deadline_at = ? where id = ?",
                Instant.parse(createdAt),
                Instant.parse(updatedAt),
                Instant.parse(deadlineAt),
                id);
    }

    private void expect(Set<UUID> ids, Object... query) {
        List<UUID> found = listIds(
                Stream.concat(Stream.of("caller", caller), Stream.of(query)).toArray());
        assertEquals(found.size(), Set.copyOf(found).size(), "each once");
        assertEquals(
                ids, found.stream().collect(Collectors.toSet()), List.of(query).toString());
    }
}
