package io.rollcall.http.api;

import static io.rollcall.testing.TestApi.body;
import static io.rollcall.testing.TestApi.delegation;
import static io.rollcall.testing.TestApi.direct;
import static io.rollcall.testing.TestApi.queued;
import static io.rollcall.testing.TestApi.unique;
import static org.hamcrest.Matchers.endsWith;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.matchesPattern;
import static org.hamcrest.Matchers.notNullValue;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.quarkus.test.junit.QuarkusTest;
import io.restassured.path.json.JsonPath;
import io.rollcall.testing.TestApi;
import io.rollcall.testing.TestDelegation;
import io.rollcall.testing.TestSql;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Registering one delegation: what is filled in, and what comes back as it was given. */
@QuarkusTest
class RegistrationTest {
    private static final String VERSION_7 = "[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}";

    @Test
    void dispatchesADirectOneToItsAgentAtOnceUnderTheFirstEpoch() {
        // given
        TestApi.Draft draft = direct();

        // when
        var answer = draft.post().then().statusCode(201);

        // then
        answer.body("id", matchesPattern(VERSION_7))
                .body("status", equalTo("dispatched"))
                .body("agent", equalTo(draft.get("agent")))
                .body("recovery", equalTo("none"))
                .body("queue", nullValue())
                .body("availableAt", nullValue())
                .body("startedAt", nullValue())
                .body("lease.epoch", equalTo(1))
                .body("lease.holder", equalTo(draft.get("agent")))
                .body("lease.staleAt", nullValue())
                .body("lease.lastHeartbeatAt", nullValue())
                .body("lease.leaseTime", equalTo("PT10M"))
                .body("lease.heartbeatEvery", equalTo("PT3M20S"))
                .body("lease.effect", equalTo("none"));
    }

    @Test
    void queuesOneWithoutAnAgentInTheDefaultQueue() {
        queued().without("queue")
                .post()
                .then()
                .statusCode(201)
                .body("status", equalTo("queued"))
                .body("queue", equalTo("default"))
                .body("recovery", equalTo("requeue"))
                .body("agent", nullValue())
                .body("lease", nullValue())
                .body("availableAt", notNullValue());
    }

    @Test
    void givesADirectOneThatMayBeRequeuedAQueueToFallBackTo() {
        direct().with("recovery", "requeue")
                .post()
                .then()
                .statusCode(201)
                .body("status", equalTo("dispatched"))
                .body("queue", equalTo("default"));
        direct().with("recovery", "requeue")
                .with("queue", "elsewhere")
                .post()
                .then()
                .statusCode(201)
                .body("queue", equalTo("elsewhere"));
    }

    @Test
    void fillsInTheDefaultsOfTheContract() {
        JsonPath answer = direct().post().then().statusCode(201).extract().jsonPath();

        assertEquals(5, answer.getInt("priority"));
        assertEquals(3, answer.getInt("maxRequeues"));
        assertEquals(0, answer.getInt("requeueCount"));
        assertEquals(Map.of(), answer.getMap("labels"));
        Instant createdAt = TestApi.time(answer, "createdAt");
        assertEquals(createdAt.plus(Duration.ofHours(6)), TestApi.time(answer, "deadlineAt"));
        assertEquals(createdAt, TestApi.time(answer, "updatedAt"));
        assertNull(answer.get("maxRunning"));
        assertNull(answer.get("queueTimeout"));
        assertNull(answer.get("reason"));
    }

    @Test
    void saysWhereItIsAndWhichVersionItHas() {
        var answer = direct().post().then().statusCode(201);

        String id = answer.extract().path("id");
        int version = answer.extract().path("version");
        answer.header("Location", endsWith("/v1/delegations/" + id)).header("ETag", equalTo("\"" + version + "\""));
        delegation(UUID.fromString(id))
                .get()
                .then()
                .statusCode(200)
                .header("ETag", equalTo("\"" + version + "\""))
                .body("version", equalTo(version));
    }

    @Test
    void givesEveryFieldBackAsItCame() {
        // given
        UUID id = UUID.randomUUID();
        Instant availableAt = Instant.now().plus(Duration.ofHours(1)).truncatedTo(ChronoUnit.MICROS);
        Instant deadlineAt = availableAt.plus(Duration.ofDays(2)).plus(1, ChronoUnit.MICROS);
        Map<String, Object> payload = body(
                "text",
                "Zürich \uD83D\uDC11",
                "none",
                null,
                "list",
                Arrays.asList(1, "two", null),
                "deep",
                body("a", 1));
        TestApi.Draft draft = queued().with("id", id)
                .with("task", "zähle die \uD83D\uDC11\nand again")
                .with("payload", payload)
                .with("labels", body("team", "search", "a/b.c_d-e@f", "any: text"))
                .with("priority", 9)
                .with("deadlineAt", deadlineAt.toString())
                .with("heartbeatTimeout", "PT1M30S")
                .with("queueTimeout", "P1D")
                .with("maxRunning", "PT30M")
                .with("maxRequeues", 7)
                .with("recovery", "none")
                .with("availableAt", availableAt.toString());

        // when
        draft.register();

        // then
        JsonPath read = delegation(id).read();
        assertEquals(id, UUID.fromString(read.getString("id")));
        for (String field : List.of("caller", "queue", "task", "heartbeatTimeout", "maxRunning", "recovery")) {
            assertEquals(draft.get(field), read.getString(field), field);
        }
        assertEquals(payload, read.getMap("payload"));
        assertEquals(body("team", "search", "a/b.c_d-e@f", "any: text"), read.getMap("labels"));
        assertEquals(9, read.getInt("priority"));
        assertEquals(7, read.getInt("maxRequeues"));
        assertEquals(Duration.ofDays(1), Duration.parse(read.getString("queueTimeout")));
        assertEquals(deadlineAt, TestApi.time(read, "deadlineAt"));
        assertEquals(availableAt, TestApi.time(read, "availableAt"));
    }

    @Test
    void keepsEveryDigitOfTheNumbersInAPayload() {
        TestDelegation registered = direct().with(
                        "payload", body("n", new java.math.BigDecimal("12345678901234567890.120")))
                .register();

        String text = registered.get().then().statusCode(200).extract().asString();

        assertEquals(true, text.contains("12345678901234567890.120"), text);
    }

    @Test
    void takesAnyJsonAsPayload() {
        for (Object payload : List.of("text", 42, true, List.of(1, 2), Map.of())) {
            Object back = direct().with("payload", payload).register().read().get("payload");
            assertEquals(payload, back);
        }
    }

    @Test
    void readsADeadlineWithAnyOffsetAndADeadlineFromNow() {
        JsonPath in = direct().with("deadlineIn", "PT90M").register().read();
        assertEquals(TestApi.time(in, "createdAt").plus(Duration.ofMinutes(90)), TestApi.time(in, "deadlineAt"));

        Instant at = Instant.now().plus(Duration.ofHours(5)).truncatedTo(ChronoUnit.SECONDS);
        String inKathmandu =
                at.atOffset(java.time.ZoneOffset.ofHoursMinutes(5, 45)).toString();
        assertEquals(
                at,
                TestApi.time(direct().with("deadlineAt", inKathmandu).register().read(), "deadlineAt"));
    }

    @Test
    void writesWhoRegisteredItAsTheFirstLineOfItsHistory() {
        TestApi.Draft draft = direct();

        List<Map<String, Object>> events = draft.register().events();

        assertEquals(1, events.size());
        assertEquals("registered", events.get(0).get("kind"));
        assertEquals("dispatched", events.get(0).get("to"));
        assertEquals("caller:" + draft.get("caller"), events.get(0).get("actor"));
    }

    @Test
    void storesTheWordsAndColumnsThatToolsRelyOn() {
        TestDelegation registered = direct().register();

        Map<String, Object> row = TestSql.delegation(registered.id());

        assertEquals("dispatched", row.get("status"));
        assertNull(row.get("reason"));
        assertEquals(
                List.of("registered"),
                TestSql.rows("select kind from delegation_event where delegation_id = ?", registered.id()).stream()
                        .map(event -> event.get("kind"))
                        .toList());
        Map<String, Object> lease = TestSql.rows(
                        "select epoch, holder, stale_at from lease where delegation_id = ?", registered.id())
                .get(0);
        assertEquals(1L, lease.get("epoch"));
        assertEquals(row.get("agent"), lease.get("holder"));
        assertNull(lease.get("stale_at"));
    }

    @Test
    void doesNotKnowWhatWasNeverRegistered() {
        TestApi.expectProblem(delegation(UUID.randomUUID()).get(), 404, "not-found");
        TestApi.expectProblem(TestApi.get("/v1/delegations/" + UUID.randomUUID() + "/events"), 404, "not-found");
        assertEquals(0, TestApi.listIds("caller", unique("nobody")).size());
    }
}
