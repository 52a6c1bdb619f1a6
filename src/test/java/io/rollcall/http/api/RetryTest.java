package io.rollcall.http.api;

import static io.rollcall.testing.TestApi.body;
import static io.rollcall.testing.TestApi.delegation;
import static io.rollcall.testing.TestApi.direct;
import static io.rollcall.testing.TestApi.expectProblem;
import static io.rollcall.testing.TestApi.queued;
import static io.rollcall.testing.TestApi.time;
import static io.rollcall.testing.TestApi.unique;
import static org.hamcrest.Matchers.endsWith;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.quarkus.test.junit.QuarkusTest;
import io.restassured.path.json.JsonPath;
import io.restassured.response.Response;
import io.rollcall.testing.TestApi;
import io.rollcall.testing.TestDelegation;
import io.rollcall.testing.TestParallel;
import io.rollcall.testing.TestSql;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** An operator's retry: one successor, and the original stays as it ended. */
@QuarkusTest
class RetryTest {
    @Test
    void aFailedOneGetsASuccessorWithTheSameWorkAndPolicy() {
        // given
        TestDelegation original = direct().with("payload", body("n", List.of(1, 2)))
                .with("labels", body("team", "search"))
                .with("priority", 8)
                .with("recovery", "requeue")
                .with("queue", "fallback")
                .with("maxRequeues", 1)
                .with("heartbeatTimeout", "PT2M")
                .with("maxRunning", "PT1H")
                .with("queueTimeout", "PT3H")
                .register();
        original.report("failed", "epoch", 1, "error", body("class", "auth"))
                .then()
                .statusCode(200);
        JsonPath before = original.read();

        // when
        Response answer = original.retry("note", "credentials renewed");

        // then
        answer.then()
                .statusCode(201)
                .header("Location", endsWith("/v1/delegations/" + answer.path("id")))
                .body("retryOf", equalTo(original.id().toString()))
                .body("status", equalTo("dispatched"))
                .body("requeueCount", equalTo(0))
                .body("lease.epoch", equalTo(1))
                .body("lease.staleAt", nullValue())
                .body("lease.leaseTime", equalTo("PT2M"))
                .body("error", nullValue())
                .body("cause", nullValue());
        JsonPath successor = successorOf(answer).read();
        for (String same : List.of(
                "caller",
                "agent",
                "queue",
                "task",
                "payload",
                "labels",
                "priority",
                "recovery",
                "maxRequeues",
                "heartbeatTimeout",
                "maxRunning",
                "queueTimeout")) {
            assertEquals(before.getString(same), successor.getString(same), same);
        }
        assertNotEquals(before.getString("id"), successor.getString("id"));
        Map<String, Object> registered = successorOf(answer).events().get(0);
        assertEquals("operator", registered.get("actor"));
        assertEquals("credentials renewed", ((Map<?, ?>) registered.get("data")).get("note"));
        // and the final row is not touched: retriedBy is read from the successor
        Map<String, Object> after = original.read().getMap("");
        assertEquals(successor.getString("id"), after.remove("retriedBy"));
        assertEquals(before.getMap(""), after);
    }

    @Test
    void aStuckOneIsSupersededAndItsHolderHearsSo() {
        // given
        TestDelegation original = direct().register().begun().stuck();

        // when
        Response answer = original.retry("note", "machine is gone");

        // then
        answer.then().statusCode(201).body("status", equalTo("dispatched"));
        original.get()
                .then()
                .body("status", equalTo("failed"))
                .body("reason", equalTo("superseded"))
                .body("cause", equalTo("heartbeat_stale"))
                .body("lease", nullValue())
                .body("retriedBy", equalTo(answer.path("id")));
        expectProblem(original.beat("epoch", 1), 409, "lease-lost").body("delegationStatus", equalTo("failed"));
        expectProblem(original.report("completed", "epoch", 1), 409, "invalid-transition");
        Map<String, Object> superseded = original.events("transition").get(2);
        assertEquals("superseded", superseded.get("reason"));
        assertEquals("operator", superseded.get("actor"));
        assertEquals("machine is gone", ((Map<?, ?>) superseded.get("data")).get("note"));
    }

    @Test
    void aCancelledOneCanBeTriedAgain() {
        TestDelegation original = queued().register().closed("cancelled");

        original.retry()
                .then()
                .statusCode(201)
                .body("status", equalTo("queued"))
                .body("retryOf", equalTo(original.id().toString()));
    }

    @Test
    void needsNoBody() {
        TestDelegation original = direct().register().closed("failed");

        io.restassured.RestAssured.given()
                .post("/v1/delegations/{id}/retry", original.id())
                .then()
                .statusCode(201);
    }

    @Test
    void whatIsUnderWayOrDoneIsNotTriedAgain() {
        List<TestDelegation> others = List.of(
                queued().register(),
                direct().register(),
                direct().register().begun(),
                direct().register().closed("completed"));
        for (TestDelegation work : others) {
            String before = work.get().asString();

            expectProblem(work.retry(), 409, "invalid-transition").body("delegationStatus", equalTo(work.status()));

            assertEquals(before, work.get().asString());
            assertEquals(0, successors(work));
        }
        expectProblem(delegation(UUID.randomUUID()).retry(), 404, "not-found");
    }

    @Test
    void askedAgainItAnswersTheSameSuccessorWhateverBecameOfIt() {
        TestDelegation original = direct().register().begun().stuck();
        TestDelegation successor = successorOf(original.retry());

        original.retry()
                .then()
                .statusCode(200)
                .body("id", equalTo(successor.id().toString()));
        successor.closed("completed");
        original.retry("agent", "another", "deadlineIn", "PT1M")
                .then()
                .statusCode(200)
                .body("id", equalTo(successor.id().toString()))
                .body("status", equalTo("completed"));
        assertEquals(1, successors(original));
    }

    @Test
    void aSuccessorThatFailsHasASuccessorOfItsOwn() {
        TestDelegation first = direct().register().closed("failed");
        TestDelegation second = successorOf(first.retry()).closed("failed");
        TestDelegation third = successorOf(second.retry());

        assertEquals(second.id().toString(), third.read().getString("retryOf"));
        assertEquals(second.id().toString(), first.read().getString("retriedBy"));
        assertEquals(third.id().toString(), second.read().getString("retriedBy"));
    }

    @Test
    void manyAtOnceMakeOneSuccessorOfAFailedOne() throws Exception {
        // given several that have looked, found no successor, and now wait to insert theirs
        TestDelegation original = direct().register().closed("failed");
        List<Future<Response>> waiting;
        try (TestSql.Held nobodyInserts = new TestSql.Held("lock table delegation in share row exclusive mode")) {
            waiting = IntStream.range(0, 6)
                    .mapToObj(i -> TestParallel.begin(() -> original.retry()))
                    .toList();
            nobodyInserts.awaitBlocked(6);
        }

        // then
        List<Response> answers = new ArrayList<>();
        for (Future<Response> one : waiting) {
            answers.add(one.get());
        }
        expectOneSuccessor(original, answers);
    }

    @Test
    void twentyAtOnceMakeOneSuccessorOfAStuckOne() {
        TestDelegation original = direct().register().begun().stuck();

        expectOneSuccessor(original, TestParallel.times(20, i -> original.retry("note", "try " + i)));

        assertEquals(
                1,
                original.events("transition").stream()
                        .filter(event -> "superseded".equals(event.get("reason")))
                        .count());
    }

    @Test
    void aRetryThatLosesToACompletionIsRefused() throws Exception {
        // given a retry that has read the original as stuck and waits for its row
        TestDelegation original = direct().register().begun().stuck();
        Future<Response> completion;
        Future<Response> retry;
        try (TestSql.Held held = TestSql.holdDelegation(original.id())) {
            completion = TestParallel.begin(() -> original.report("completed", "epoch", 1));
            held.awaitBlocked(1);
            retry = TestParallel.begin(() -> original.retry());
            held.awaitBlocked(2);
        }

        // then one of both has won, and nothing of the other is left
        boolean completed = completion.get().statusCode() == 200;
        expectProblem(completed ? retry.get() : completion.get(), 409, "invalid-transition");
        assertEquals(completed ? "completed" : "failed", original.status());
        assertEquals(completed ? 0 : 1, successors(original));
    }

    @Test
    void theDeadlineIsAsFarFromNowAsTheOriginalsWasFromItsRegistration() {
        TestDelegation original = direct().with("deadlineIn", "PT2H").register();
        TestSql.age(original.id(), Duration.ofHours(1));
        original.closed("failed");

        JsonPath successor = original.retry().then().statusCode(201).extract().jsonPath();

        assertEquals(time(successor, "createdAt").plus(Duration.ofHours(2)), time(successor, "deadlineAt"));
    }

    @Test
    void agentAndQueueAndDeadlineMayDiffer() {
        // another agent, and another deadline
        TestDelegation one = direct().register().closed("failed");
        JsonPath handed = one.retry("agent", "nurse", "deadlineIn", "PT5M").jsonPath();
        assertEquals("nurse", handed.getString("agent"));
        assertEquals("nurse", handed.getString("lease.holder"));
        assertEquals("dispatched", handed.getString("status"));
        assertEquals(time(handed, "createdAt").plus(Duration.ofMinutes(5)), time(handed, "deadlineAt"));

        // into a queue instead of to its agent
        String queue = unique("queue");
        JsonPath moved =
                direct().register().closed("failed").retry("queue", queue).jsonPath();
        assertEquals("queued", moved.getString("status"));
        assertEquals(queue, moved.getString("queue"));
        assertNull(moved.get("agent"));
        assertEquals(time(moved, "createdAt"), time(moved, "availableAt"));

        // from its queue to an agent
        JsonPath picked =
                queued().register().closed("failed").retry("agent", "nurse").jsonPath();
        assertEquals("dispatched", picked.getString("status"));
        assertEquals("nurse", picked.getString("lease.holder"));
        assertEquals(1, picked.getInt("lease.epoch"));
    }

    @Test
    void aSuccessorCanBeRegisteredAnewOnlyUnderAnotherKey() {
        // given a delegation with a key, and its successor
        TestApi.Draft draft = direct().key(unique("key"));
        TestDelegation original = draft.register().closed("failed");
        original.retry().then().statusCode(201);

        // then the key still means the original
        draft.post().then().statusCode(200).body("id", equalTo(original.id().toString()));
    }

    @Test
    void refusesWhatIsNoRetry() {
        TestDelegation original = direct().register().closed("failed");

        expectProblem(original.retry("agent", "a b"), 400, "invalid-request");
        expectProblem(original.retry("queue", ""), 400, "invalid-request");
        expectProblem(original.retry("deadlineIn", "P31D"), 400, "invalid-request");
        expectProblem(original.retry("deadlineIn", "PT0S"), 400, "invalid-request");
        expectProblem(original.retry("priority", 9), 400, "invalid-request");

        assertEquals(0, successors(original));
    }

    private static void expectOneSuccessor(TestDelegation original, List<Response> answers) {
        List<Integer> codes =
                answers.stream().map(Response::statusCode).sorted().toList();
        assertEquals(1, codes.stream().filter(code -> code == 201).count(), codes.toString());
        assertEquals(
                answers.size() - 1, codes.stream().filter(code -> code == 200).count(), codes.toString());
        Set<UUID> ids = answers.stream().map(answer -> successorOf(answer).id()).collect(Collectors.toSet());
        assertEquals(1, ids.size());
        assertEquals(1, successors(original));
    }

    private static TestDelegation successorOf(Response answer) {
        return delegation(UUID.fromString(answer.path("id")));
    }

    private static long successors(TestDelegation original) {
        return TestSql.count("select count(*) from delegation where retry_of = ?", original.id());
    }
}
