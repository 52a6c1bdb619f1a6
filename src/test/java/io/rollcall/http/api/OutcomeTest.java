package io.rollcall.http.api;

import static io.rollcall.testing.TestApi.claim;
import static io.rollcall.testing.TestApi.direct;
import static io.rollcall.testing.TestApi.expectProblem;
import static io.rollcall.testing.TestApi.queued;
import static io.rollcall.testing.TestApi.time;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.notNullValue;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quarkus.test.junit.QuarkusTest;
import io.restassured.path.json.JsonPath;
import io.restassured.response.Response;
import io.rollcall.testing.TestApi;
import io.rollcall.testing.TestDelegation;
import io.rollcall.testing.TestParallel;
import io.rollcall.testing.TestSql;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What an agent says when its run has ended and its finalization begins. */
@QuarkusTest
class OutcomeTest {
    @Test
    void isRecordedAndCountsAsABeat() {
        // given an attempt that has begun
        TestDelegation work = direct().register().begun();
        Instant lastBeat = time(work.read(), "lease.lastHeartbeatAt");

        // when
        Response answer = work.outcome(0, "epoch", 1, "note", "pushing");

        // then
        answer.then()
                .statusCode(200)
                .body("status", equalTo("in_progress"))
                .body("epoch", equalTo(1))
                .body("directive", equalTo("continue"))
                .body("heartbeatEvery", notNullValue())
                .body("outcome.exitCode", equalTo(0))
                .body("outcome.note", equalTo("pushing"));
        JsonPath read = work.read();
        assertEquals(0, read.getInt("outcome.exitCode"));
        assertEquals("pushing", read.getString("outcome.note"));
        assertTrue(lastBeat.isBefore(time(read, "outcome.at")));
        assertEquals(time(read, "outcome.at"), time(read, "lease.lastHeartbeatAt"));
        assertEquals(time(read, "lease.staleAt"), time(answer.jsonPath(), "staleAt"));
        Map<String, Object> event = work.events("outcome").get(0);
        assertEquals(1, event.get("epoch"));
        assertEquals(Map.of("exitCode", 0, "note", "pushing"), event.get("data"));
        assertEquals(
                time(read, "outcome.at"),
                TestSql.value(Instant.class, "select outcome_at from lease where delegation_id = ?", work.id()));
    }

    @Test
    void asTheFirstSignOfLifeItBeginsTheWork() {
        TestDelegation work = direct().register();

        work.outcome(2).then().statusCode(200).body("status", equalTo("in_progress"));

        assertEquals("in_progress", work.status());
        assertEquals(
                List.of("registered", "transition", "outcome"),
                work.events().stream().map(event -> event.get("kind")).toList());
    }

    @Test
    void theSameAgainIsABeatAndNothingElse() {
        TestDelegation work = direct().register().begun();
        work.outcome(0, "epoch", 1, "note", "pushing").then().statusCode(200);
        JsonPath before = work.read();

        work.outcome(0, "epoch", 1, "note", "pushing")
                .then()
                .statusCode(200)
                .body("outcome.at", equalTo(before.getString("outcome.at")));

        JsonPath after = work.read();
        assertEquals(before.getLong("version"), after.getLong("version"));
        assertTrue(time(before, "lease.lastHeartbeatAt").isBefore(time(after, "lease.lastHeartbeatAt")));
        assertEquals(1, work.events("outcome").size());
    }

    @Test
    void theSameAgainStandsAlsoWhenAllIsOver() {
        TestDelegation work = direct().register().begun();
        work.outcome(0).then().statusCode(200);
        work.report("completed").then().statusCode(200);

        work.outcome(0)
                .then()
                .statusCode(200)
                .body("status", equalTo("completed"))
                .body("outcome.exitCode", equalTo(0))
                .body("staleAt", nullValue())
                .body("directive", nullValue());
        assertEquals(0, work.read().getInt("outcome.exitCode"), "it is kept");
    }

    @Test
    void anotherOneIsRefusedAndKept() {
        TestDelegation work = direct().register().begun();
        work.outcome(0).then().statusCode(200);

        expectProblem(work.outcome(1, "note", "no, wait"), 409, "invalid-transition")
                .body("delegationStatus", equalTo("in_progress"));

        assertEquals(0, work.read().getInt("outcome.exitCode"));
        String late = work.events("late_report").get(0).toString();
        assertTrue(late.contains("reported=outcome") && late.contains("no, wait"), late);
    }

    @Test
    void afterTheEndItIsRefusedAndKept() {
        TestDelegation work = direct().register().begun().closed("failed");

        expectProblem(work.outcome(0), 409, "invalid-transition").body("delegationStatus", equalTo("failed"));
        work.outcome(0).then().statusCode(409);

        assertEquals(1, work.events("late_report").size(), "once");
        assertNull(work.read().get("outcome"));
    }

    @Test
    void underALostEpochItIsRefusedAndKept() {
        TestDelegation work = queued().register();
        String queue = work.read().getString("queue");
        claim(queue, "one");
        work.report("queued", "epoch", 1).then().statusCode(200);

        expectProblem(work.outcome(0, "epoch", 1), 409, "lease-lost").body("delegationStatus", equalTo("queued"));

        claim(queue, "two");
        expectProblem(work.outcome(0, "epoch", 1), 409, "lease-lost").body("delegationStatus", equalTo("dispatched"));
        assertNull(work.read().get("outcome"));
        assertEquals(1, work.events("late_report").size());
    }

    @Test
    void theNextAttemptIsToldAndStartsWithoutOne() {
        TestDelegation work = queued().register();
        String queue = work.read().getString("queue");
        claim(queue, "one");
        work.outcome(7, "epoch", 1, "note", "tests failed").then().statusCode(200);
        work.report("queued", "epoch", 1).then().statusCode(200);
        assertNull(work.read().get("outcome"));

        JsonPath next = claim(queue, "two");

        assertEquals(7, next.getInt("items[0].previous.outcome.exitCode"));
        assertEquals("tests failed", next.getString("items[0].previous.outcome.note"));
        assertNull(next.get("items[0].outcome"));
        work.outcome(0, "epoch", 2).then().statusCode(200);
    }

    @Test
    void endsWhatTheRunMayLast() {
        TestDelegation work = direct().with("maxRunning", "PT1H")
                .with("deadlineIn", "PT2H")
                .register()
                .begun();
        Instant deadline = time(work.read(), "deadlineAt");
        assertTrue(Duration.between(dueAt(work), deadline).compareTo(Duration.ofMinutes(59)) > 0);

        work.outcome(0).then().statusCode(200);

        assertEquals(deadline, dueAt(work));
    }

    @Test
    void isAcceptedFromOneThatIsStuckAndStaysSo() {
        TestDelegation work = direct().register().begun().stuck();

        work.outcome(0).then().statusCode(200).body("status", equalTo("stuck"));

        assertEquals("stuck", work.status());
    }

    @Test
    void hearsThatItIsCalledOff() {
        TestDelegation work = direct().register().begun();
        work.cancel().then().statusCode(202);

        work.outcome(0).then().statusCode(200).body("directive", equalTo("cancel"));
    }

    @Test
    void needsAnEpochWhereSeveralAttemptsMayBe() {
        TestDelegation work = queued().register();
        claim(work.read().getString("queue"), "one");

        expectProblem(work.outcome(0), 400, "epoch-required");
        expectProblem(work.post("outcome", Map.of("epoch", 1)), 400, "invalid-request")
                .body("violations.field", hasItem("exitCode"));
        expectProblem(TestApi.delegation(UUID.randomUUID()).outcome(0, "epoch", 1), 404, "not-found");
    }

    @Test
    void ofTwoAtOneMomentOneStands() throws Exception {
        TestDelegation work = direct().register().begun();
        Future<Integer> first;
        Future<Integer> second;
        try (TestSql.Held row = TestSql.holdDelegation(work.id())) {
            first = TestParallel.begin(() -> work.outcome(0).statusCode());
            second = TestParallel.begin(() -> work.outcome(1).statusCode());
            row.awaitBlocked(2);
        }

        List<Integer> answers = List.of(first.get(30, TimeUnit.SECONDS), second.get(30, TimeUnit.SECONDS));

        assertTrue(answers.containsAll(List.of(200, 409)), answers::toString);
        assertEquals(1, work.events("outcome").size());
    }

    @Test
    void aReportAtTheSameMomentComesBeforeOrAfter() throws Exception {
        TestDelegation work = direct().register().begun();
        Future<Integer> outcome;
        Future<Integer> report;
        try (TestSql.Held row = TestSql.holdDelegation(work.id())) {
            outcome = TestParallel.begin(() -> work.outcome(1).statusCode());
            report = TestParallel.begin(
                    () -> work.report("completed", "epoch", 1).statusCode());
            row.awaitBlocked(2);
        }

        boolean recorded = outcome.get(30, TimeUnit.SECONDS) == 200;

        assertEquals(200, report.get(30, TimeUnit.SECONDS));
        assertEquals(recorded ? 1 : 0, work.events("outcome").size());
        assertEquals(recorded ? 0 : 1, work.events("late_report").size());
        assertEquals("completed", work.status());
        assertEquals(0, TestSql.count("select count(*) from lease where delegation_id = ?", work.id()));
    }

    private static Instant dueAt(TestDelegation work) {
        return TestSql.value(Instant.class, "select due_at from delegation where id = ?", work.id());
    }
}
