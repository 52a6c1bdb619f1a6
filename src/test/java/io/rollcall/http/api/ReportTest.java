package io.rollcall.http.api;

import static io.rollcall.testing.TestApi.body;
import static io.rollcall.testing.TestApi.delegation;
import static io.rollcall.testing.TestApi.direct;
import static io.rollcall.testing.TestApi.expectProblem;
import static io.rollcall.testing.TestApi.queued;
import static io.rollcall.testing.TestApi.time;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.nullValue;
import static org.hamcrest.Matchers.startsWith;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quarkus.test.junit.QuarkusTest;
import io.restassured.path.json.JsonPath;
import io.restassured.response.Response;
import io.rollcall.testing.TestApi;
import io.rollcall.testing.TestDelegation;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How work ends: by its agent's word, or by an operator's. */
@QuarkusTest
class ReportTest {
    @Test
    void anAgentCompletesItsWork() {
        // given
        TestDelegation work = direct().register().begun();

        // when
        Response answer = work.report("completed", "epoch", 1, "result", body("sheep", 7), "note", "all counted");

        // then
        answer.then()
                .statusCode(200)
                .body("status", equalTo("completed"))
                .body("disposition", equalTo("settled"))
                .body("reason", equalTo("agent_reported"))
                .body("cause", nullValue())
                .body("retryable", nullValue())
                .body("result.sheep", equalTo(7))
                .body("lease", nullValue());
        JsonPath read = work.read();
        assertEquals(time(read, "updatedAt"), time(read, "finishedAt"));
        assertEquals(7, read.getInt("result.sheep"));
        assertNull(read.get("disposition"));
        Map<String, Object> last = work.events().get(2);
        assertEquals("completed", last.get("to"));
        assertEquals("agent:" + read.getString("agent"), last.get("actor"));
        assertEquals(1, last.get("epoch"));
        assertEquals("all counted", ((Map<?, ?>) last.get("data")).get("note"));
    }

    @Test
    void anAgentMayEndWhatItNeverBeatFor() {
        direct().register().report("completed").then().statusCode(200).body("status", equalTo("completed"));
        direct().register()
                .report("failed", "error", body("message", "no such sheep"))
                .then()
                .statusCode(200)
                .body("status", equalTo("failed"))
                .body("reason", equalTo("agent_reported"))
                .body("cause", equalTo("agent_reported"))
                .body("retryable", equalTo(false))
                .body("error.message", equalTo("no such sheep"));
        direct().register()
                .report("cancelled", "result", List.of(1))
                .then()
                .statusCode(200)
                .body("status", equalTo("cancelled"))
                .body("reason", equalTo("cancelled"))
                .body("disposition", equalTo("settled"))
                .body("result", equalTo(List.of(1)));
    }

    @Test
    void sayingThatItIsInProgressDoesNotEndTheFreePass() {
        // given
        TestDelegation work = direct().register();

        // when
        Response answer = work.report("in_progress");

        // then
        answer.then()
                .statusCode(200)
                .body("status", equalTo("in_progress"))
                .body("lease.staleAt", nullValue())
                .body("lease.lastHeartbeatAt", nullValue())
                .body("disposition", nullValue());
        // and saying it again changes nothing
        String before = work.get().asString();
        work.report("in_progress").then().statusCode(200);
        assertEquals(before, work.get().asString());
        assertEquals(1, work.events("transition").size());
        // but a beat does
        work.beat().then().statusCode(200);
        assertFalse(work.read().getString("lease.staleAt").isEmpty());
        assertEquals(1, work.events("transition").size());
    }

    @Test
    void sayingThatItIsInProgressNeverRenews() {
        TestDelegation work = direct().register().begun();
        JsonPath before = work.read();

        work.report("in_progress").then().statusCode(200);

        assertEquals(before.getString("lease.staleAt"), work.read().getString("lease.staleAt"));
        assertEquals(before.getInt("version"), work.read().getInt("version"));
    }

    @Test
    void aStuckOneCanNotBeInProgressAgainButItsHolderMayEndIt() {
        TestDelegation work = direct().register().begun().stuck();

        expectProblem(work.report("in_progress"), 409, "invalid-transition").body("delegationStatus", equalTo("stuck"));
        work.report("completed", "epoch", 1, "result", "late but good")
                .then()
                .statusCode(200)
                .body("status", equalTo("completed"))
                .body("reason", equalTo("agent_reported"))
                .body("cause", equalTo("heartbeat_stale"))
                .body("result", equalTo("late but good"));
    }

    @Test
    void aStuckOneThatFailsIsNotRequeued() {
        TestDelegation work = direct().register().begun().stuck();

        work.report("failed", "error", body("class", "timeout"))
                .then()
                .statusCode(200)
                .body("status", equalTo("failed"))
                .body("reason", equalTo("agent_reported"))
                .body("retryable", equalTo(true));
    }

    @ParameterizedTest
    @CsvSource({"completed,operator", "failed,operator", "cancelled,cancelled"})
    void anOperatorClosesAnyOpenOne(String end, String reason) {
        List<TestDelegation> open = List.of(
                queued().register(),
                direct().register(),
                direct().register().begun(),
                direct().with("recovery", "requeue").register(),
                direct().register().begun().stuck());
        for (TestDelegation work : open) {
            String from = work.status();

            work.report(end, "note", "enough")
                    .then()
                    .statusCode(200)
                    .body("status", equalTo(end))
                    .body("reason", equalTo(reason))
                    .body("disposition", equalTo("settled"))
                    .body("lease", nullValue());

            List<Map<String, Object>> events = work.events();
            Map<String, Object> last = events.get(events.size() - 1);
            assertEquals(from, last.get("from"));
            assertEquals("operator", last.get("actor"));
            assertEquals("enough", ((Map<?, ?>) last.get("data")).get("note"));
            expectProblem(work.report(end, "note", "again"), 409, "invalid-transition")
                    .body("delegationStatus", equalTo(end));
        }
    }

    @Test
    void anOperatorsFailureCanBeRetriedAndKeepsWhatWentWrongBefore() {
        direct().register()
                .begun()
                .stuck()
                .report("failed", "note", "given up", "error", body("message", "machine gone"))
                .then()
                .statusCode(200)
                .body("reason", equalTo("operator"))
                .body("cause", equalTo("heartbeat_stale"))
                .body("retryable", equalTo(true))
                .body("error.message", equalTo("machine gone"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"in_progress", "queued"})
    void anOperatorCanOnlyEndIt(String status) {
        TestDelegation work = direct().with("recovery", "requeue").register();

        Response answer = work.report(status, "note", "go on");

        assertEquals(4, answer.statusCode() / 100, answer.asString());
        assertEquals("dispatched", work.status());
        assertEquals(0, work.events("late_report").size());
    }

    @Test
    void withoutEpochAndNoteItIsAnAgentsWhereNoOtherAttemptCanBe() {
        TestDelegation oneOfMany = direct().with("recovery", "requeue").register();
        TestDelegation waiting = queued().register();

        expectProblem(oneOfMany.report("completed"), 400, "epoch-required");
        expectProblem(waiting.report("completed"), 400, "epoch-required");
        assertEquals("dispatched", oneOfMany.status());
        assertEquals("queued", waiting.status());
    }

    @Test
    void whatIsUnknownIsNotFound() {
        expectProblem(delegation(UUID.randomUUID()).report("completed"), 404, "not-found");
        expectProblem(delegation(UUID.randomUUID()).report("completed", "note", "x"), 404, "not-found");
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                "connection,-,true",
                "timeout,-,true",
                "rate_limited,-,true",
                "server_error,-,true",
                "circuit_open,-,true",
                "auth,-,false",
                "configuration,-,false",
                "client_error,-,false",
                "unknown,-,false",
                "-,408,true",
                "-,429,true",
                "-,500,true",
                "-,503,true",
                "-,599,true",
                "-,401,false",
                "-,403,false",
                "-,404,false",
                "-,422,false",
                "-,302,false",
                "-,-,false",
                "timeout,400,true",
                "auth,503,false"
            })
    void theKindOfFailureDecidesWhetherARetryMakesSense(String failureClass, Integer httpStatus, boolean retryable) {
        Map<String, Object> error = body("message", "m");
        if (failureClass != null) {
            error.put("class", failureClass);
        }
        if (httpStatus != null) {
            error.put("httpStatus", httpStatus);
        }

        direct().register()
                .report("failed", "error", error)
                .then()
                .statusCode(200)
                .body("retryable", equalTo(retryable))
                .body("error", equalTo(error));
    }

    @Test
    void aChainIsJudgedByItsLastAttemptAndTheAgentsWordOverridesAll() {
        Map<String, Object> chain = body(
                "class",
                "auth",
                "attempts",
                List.of(body("httpStatus", 401), body("class", "timeout", "message", "m")));
        direct().register().report("failed", "error", chain).then().body("retryable", equalTo(true));

        chain.put("retryable", false);
        direct().register().report("failed", "error", chain).then().body("retryable", equalTo(false));
    }

    @Test
    void aFailureIsRequeuedAfterABackoffWhileThereIsBudget() {
        TestDelegation work =
                direct().with("recovery", "requeue").with("maxRequeues", 1).register();
        work.beat("epoch", 1, "progress", 0.5);

        JsonPath answer = work.report("failed", "epoch", 1, "error", body("httpStatus", 503))
                .then()
                .statusCode(200)
                .extract()
                .jsonPath();

        assertEquals("queued", answer.getString("status"));
        assertEquals("requeued", answer.getString("disposition"));
        assertEquals(1, answer.getInt("requeueCount"));
        assertEquals("agent_reported", answer.getString("cause"));
        assertNull(answer.get("reason"));
        assertNull(answer.get("finishedAt"));
        assertNull(answer.get("lease"));
        Duration backoff = Duration.between(time(answer, "updatedAt"), time(answer, "availableAt"));
        assertBetween(Duration.ofSeconds(30), Duration.ofSeconds(36), backoff);
        assertEquals(work.id().toString(), answer.getString("id"));
    }

    @Test
    void isNeverRequeuedEarlierThanTheFailureAskedFor() {
        JsonPath answer = direct().with("recovery", "requeue")
                .register()
                .report("failed", "epoch", 1, "error", body("class", "rate_limited", "retryAfterS", 100))
                .jsonPath();

        Duration backoff = Duration.between(time(answer, "updatedAt"), time(answer, "availableAt"));
        assertBetween(Duration.ofSeconds(100), Duration.ofSeconds(120), backoff);
    }

    @Test
    void aFailureThatIsNotWorthRepeatingIsADeadLetter() {
        direct().with("recovery", "requeue")
                .register()
                .report("failed", "epoch", 1, "error", body("class", "auth"))
                .then()
                .statusCode(200)
                .body("status", equalTo("failed"))
                .body("reason", equalTo("not_retryable"))
                .body("cause", equalTo("agent_reported"))
                .body("retryable", equalTo(false))
                .body("disposition", equalTo("settled"));
    }

    @Test
    void aFailureWithoutBudgetIsADeadLetter() {
        direct().with("recovery", "requeue")
                .with("maxRequeues", 0)
                .register()
                .report("failed", "epoch", 1, "error", body("class", "timeout"))
                .then()
                .statusCode(200)
                .body("status", equalTo("failed"))
                .body("reason", equalTo("retries_exhausted"))
                .body("cause", equalTo("agent_reported"))
                .body("retryable", equalTo(true))
                .body("requeueCount", equalTo(0));
    }

    @Test
    void aDirectOneWithoutAQueueCanNotBeReleased() {
        TestDelegation work = direct().register().begun();

        expectProblem(work.report("queued"), 409, "invalid-transition");

        assertEquals("in_progress", work.status());
    }

    @ParameterizedTest(name = "{0} = {1}")
    @MethodSource("nonsense")
    void refusesWhatIsNoReport(String field, Object value) {
        TestDelegation work = direct().register();
        Map<String, Object> body = body("status", "failed", "epoch", 1);
        body.put(field, value);

        expectProblem(work.post("status", body), 400, "invalid-request")
                .body("violations.field", hasItem(startsWith(field)));

        assertEquals("dispatched", work.status());
        assertEquals(1, work.events().size());
    }

    static Stream<Arguments> nonsense() {
        return Stream.of(
                Arguments.of("status", "dispatched"),
                Arguments.of("status", "stuck"),
                Arguments.of("status", "done"),
                Arguments.of("status", null),
                Arguments.of("epoch", 0),
                Arguments.of("progress", 1.1),
                Arguments.of("result", "r".repeat(256 * 1024 - 1)),
                Arguments.of("error", "boom"),
                Arguments.of("error", body("class", "cosmic")),
                Arguments.of("error", body("httpStatus", 99)),
                Arguments.of("error", body("httpStatus", 600)),
                Arguments.of("error", body("retryAfterS", -1)),
                Arguments.of("error", body("colour", "red")),
                Arguments.of("colour", "red"));
    }

    @Test
    void takesAResultOfTwoHundredAndFiftySixKibibytes() {
        String result = "r".repeat(256 * 1024 - 2);

        direct().register()
                .report("completed", "result", result)
                .then()
                .statusCode(200)
                .body("result", equalTo(result));
    }

    @Test
    void actsOnlyOnTheVersionThatIfMatchNames() {
        // given
        TestDelegation work = direct().register();
        String first = work.get().header("ETag");
        String second = work.begun().get().header("ETag");

        // then
        expectProblem(reportIfMatch(work, first), 412, "precondition-failed");
        expectProblem(reportIfMatch(work, "\"of another service\""), 412, "precondition-failed");
        expectProblem(reportIfMatch(work, "7"), 412, "precondition-failed");
        assertEquals("in_progress", work.status());
        assertEquals(0, work.events("late_report").size());
        reportIfMatch(work, second).then().statusCode(200).body("status", equalTo("completed"));
        TestDelegation other = direct().register().begun();
        reportIfMatch(other, "*").then().statusCode(200).body("status", equalTo("completed"));
        assertTrue(other.get().header("ETag").matches("\"\\d+\""));
    }

    private static Response reportIfMatch(TestDelegation work, String tag) {
        return TestApi.json()
                .header("If-Match", tag)
                .body(body("status", "completed", "epoch", 1))
                .post("/v1/delegations/{id}/status", work.id());
    }

    private static void assertBetween(Duration least, Duration most, Duration actual) {
        assertTrue(actual.compareTo(least) >= 0 && actual.compareTo(most) <= 0, actual.toString());
    }
}
