package io.rollcall.http.api;

import static io.rollcall.testing.TestApi.body;
import static io.rollcall.testing.TestApi.delegation;
import static io.rollcall.testing.TestApi.direct;
import static io.rollcall.testing.TestApi.expectProblem;
import static io.rollcall.testing.TestApi.queued;
import static io.rollcall.testing.TestApi.time;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.startsWith;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quarkus.test.junit.QuarkusTest;
import io.restassured.path.json.JsonPath;
import io.restassured.response.Response;
import io.rollcall.testing.TestApi;
import io.rollcall.testing.TestDelegation;
import io.rollcall.testing.TestParallel;
import io.rollcall.testing.TestSql;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Operators' edits of what is open. */
@QuarkusTest
class EditTest {
    @Test
    void changesWhatItNamesAndLeavesTheRest() {
        // given
        TestDelegation work = direct().with("labels", body("a", "1", "b", "2")).register();
        Instant deadlineAt = Instant.now().plus(Duration.ofDays(3)).truncatedTo(ChronoUnit.MICROS);
        JsonPath before = work.read();

        // when
        work.edit("deadlineAt", deadlineAt.toString(), "note", "give it time")
                .then()
                .statusCode(200);
        work.edit("priority", 9).then().statusCode(200).body("priority", equalTo(9));
        work.edit("labels", body("c", "3")).then().statusCode(200).body("labels", equalTo(body("c", "3")));

        // then
        JsonPath after = work.read();
        assertEquals(deadlineAt, time(after, "deadlineAt"));
        assertEquals(9, after.getInt("priority"));
        assertEquals(Map.of("c", "3"), after.getMap("labels"));
        assertEquals(before.getInt("version") + 3, after.getInt("version"));
        for (String untouched : List.of("status", "task", "createdAt", "lease", "maxRequeues", "recovery")) {
            assertEquals(before.getString(untouched), after.getString(untouched), untouched);
        }
    }

    @Test
    void standsInTheHistoryWithItsNote() {
        TestDelegation work = queued().register();

        work.edit("priority", 1, "note", "can wait").then().statusCode(200);

        Map<String, Object> event = work.events("operator").get(0);
        assertEquals("operator", event.get("actor"));
        assertEquals(Map.of("priority", 1, "note", "can wait"), event.get("data"));
    }

    @Test
    void movesWhatTheSweeperGoesBy() {
        TestDelegation work = direct().with("deadlineIn", "PT1H").register();

        work.edit("deadlineAt", Instant.now().plus(Duration.ofDays(2)).toString())
                .then()
                .statusCode(200);

        Map<String, Object> row = TestSql.delegation(work.id());
        assertEquals(row.get("deadline_at"), row.get("due_at"));
    }

    @Test
    void isPossibleInEveryOpenStatus() {
        List<TestDelegation> open = List.of(
                queued().register(),
                direct().register(),
                direct().register().begun(),
                direct().register().begun().stuck());
        for (TestDelegation work : open) {
            String status = work.status();
            work.edit("priority", 0).then().statusCode(200).body("status", equalTo(status));
        }
    }

    @Test
    void comesTooLateForAFinalOne() {
        for (String end : List.of("completed", "failed", "cancelled")) {
            TestDelegation work = direct().register().closed(end);
            String before = work.get().asString();

            expectProblem(work.edit("priority", 1), 409, "invalid-transition").body("delegationStatus", equalTo(end));

            assertEquals(before, work.get().asString());
        }
        expectProblem(delegation(UUID.randomUUID()).edit("priority", 1), 404, "not-found");
    }

    @ParameterizedTest(name = "{0} = {1}")
    @MethodSource("nonsense")
    void refusesWhatIsNoEdit(String field, Object value) {
        TestDelegation work = direct().register();
        String before = work.get().asString();

        expectProblem(work.edit(field, value), 400, "invalid-request")
                .body("violations.field", hasItem(startsWith(field)));

        assertEquals(before, work.get().asString());
    }

    static Stream<Arguments> nonsense() {
        return Stream.of(
                Arguments.of("deadlineAt", Instant.now().minusSeconds(1).toString()),
                Arguments.of(
                        "deadlineAt",
                        Instant.now().plus(Duration.ofDays(30)).plusSeconds(600).toString()),
                Arguments.of("deadlineAt", "soon"),
                Arguments.of("priority", 10),
                Arguments.of("priority", -1),
                Arguments.of("labels", body("a:b", "c")),
                Arguments.of("labels", body("a", "v".repeat(256))),
                Arguments.of("labels", body("a", null)),
                Arguments.of("task", "another"),
                Arguments.of("status", "completed"),
                Arguments.of("caller", "another"));
    }

    @Test
    void actsOnlyOnTheVersionThatIfMatchNames() {
        TestDelegation work = direct().register();
        String first = work.get().header("ETag");

        String second =
                editIfMatch(work, first).then().statusCode(200).extract().header("ETag");

        expectProblem(editIfMatch(work, first), 412, "precondition-failed");
        assertEquals(second, work.get().header("ETag"));
        editIfMatch(work, second).then().statusCode(200);
        editIfMatch(work, "*").then().statusCode(200);
    }

    @Test
    void ofTwoThatNameTheSameVersionAtOnceOneWins() throws Exception {
        // given both have read the version that they name, and wait for the row
        TestDelegation work = direct().register();
        String tag = work.get().header("ETag");
        Future<Response> one;
        Future<Response> other;
        try (TestSql.Held held = TestSql.holdDelegation(work.id())) {
            one = TestParallel.begin(() -> editIfMatch(work, tag));
            other = TestParallel.begin(() -> editIfMatch(work, tag));
            held.awaitBlocked(2);
        }

        // then
        assertEquals(
                List.of(200, 412),
                Stream.of(one.get(), other.get())
                        .map(Response::statusCode)
                        .sorted()
                        .toList());
        assertEquals(1, work.events("operator").size());
    }

    @Test
    void ofTwoWithoutAVersionBothAreMade() throws Exception {
        TestDelegation work = direct().register();
        Future<Response> one;
        Future<Response> other;
        try (TestSql.Held held = TestSql.holdDelegation(work.id())) {
            one = TestParallel.begin(() -> work.edit("priority", 8));
            other = TestParallel.begin(() -> work.edit("labels", body("a", "b")));
            held.awaitBlocked(2);
        }

        one.get().then().statusCode(200);
        other.get().then().statusCode(200);
        work.get().then().body("priority", equalTo(8)).body("labels.a", equalTo("b"));
        assertEquals(2, work.events("operator").size());
    }

    private static Response editIfMatch(TestDelegation work, String tag) {
        return TestApi.json()
                .header("If-Match", tag)
                .body(body("priority", 4))
                .patch("/v1/delegations/{id}", work.id());
    }
}
