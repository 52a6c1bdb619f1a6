package io.rollcall.http.api;

import static io.rollcall.testing.TestApi.body;
import static io.rollcall.testing.TestApi.claim;
import static io.rollcall.testing.TestApi.direct;
import static io.rollcall.testing.TestApi.expectProblem;
import static io.rollcall.testing.TestApi.queued;
import static io.rollcall.testing.TestApi.sweep;
import static io.rollcall.testing.TestApi.time;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quarkus.test.junit.QuarkusTest;
import io.restassured.path.json.JsonPath;
import io.restassured.response.Response;
import io.rollcall.testing.GateServer;
import io.rollcall.testing.TestApi;
import io.rollcall.testing.TestDelegation;
import io.rollcall.testing.TestParallel;
import io.rollcall.testing.TestSql;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Work that a gate must let pass before it counts as completed; the gate is a real one, over HTTP. */
@QuarkusTest
class GateTest {
    private final GateServer gate = new GateServer();

    @BeforeEach
    void beatsAreAccepted() {
        TestSql.beatsAreAccepted();
    }

    @AfterEach
    void close() {
        gate.close();
    }

    @Test
    void whatItLetsPassIsCompleted() {
        // given
        TestDelegation work = gated().with("payload", body("commit", "4f2a")).register();

        // when
        Response answer = work.report("completed", "epoch", 1, "result", body("sheep", 7));

        // then it is settled, by its agent
        answer.then()
                .statusCode(200)
                .body("status", equalTo("completed"))
                .body("reason", equalTo("agent_reported"))
                .body("disposition", equalTo("settled"))
                .body("result.sheep", equalTo(7))
                .body("outcome.exitCode", equalTo(0))
                .body("lease", nullValue());
        Map<String, Object> end = last(work, "transition");
        assertEquals("completed", end.get("to"));
        assertEquals(Map.of("gate", Map.of("passed", true)), end.get("data"));
        // and the gate was shown what it had to judge, once
        assertEquals(1, gate.asked().size());
        GateServer.Asked asked = gate.asked().get(0);
        assertEquals("POST", asked.method());
        assertEquals("/gate", asked.path());
        assertEquals(List.of("application/json"), asked.headers().get("Content-type"));
        JsonPath shown = JsonPath.from(asked.body());
        assertEquals(work.id().toString(), shown.getString("id"));
        assertEquals("in_progress", shown.getString("status"));
        assertEquals("4f2a", shown.getString("payload.commit"));
        assertEquals(7, shown.getInt("result.sheep"));
        assertEquals(0, shown.getInt("outcome.exitCode"));
        assertEquals(1, shown.getInt("lease.epoch"));
    }

    @Test
    void whatItRejectsFailsWhereThereIsNoOtherAttempt() {
        gate.rejects("two tests fail");
        TestDelegation work = gated().register().begun();

        work.report("completed", "epoch", 1, "result", body("sheep", 7))
                .then()
                .statusCode(200)
                .body("status", equalTo("failed"))
                .body("reason", equalTo("gate_rejected"))
                .body("cause", equalTo("gate_rejected"))
                .body("disposition", equalTo("settled"))
                .body("error.message", equalTo("two tests fail"))
                .body("result.sheep", equalTo(7));

        assertEquals(
                Map.of("gate", Map.of("passed", false, "detail", "two tests fail")),
                last(work, "transition").get("data"));
    }

    @Test
    void whatItRejectsIsTriedAgainWithinTheBudget() {
        // given a claimed one with a budget of one
        gate.rejects("no");
        TestDelegation work = gatedInQueue().with("maxRequeues", 1).register();
        String queue = work.read().getString("queue");
        claim(queue, "one");

        // when it is rejected
        Response answer = work.report("completed", "epoch", 1, "result", body("sheep", 7));

        // then it waits for its backoff, without the result, which stands in the history
        answer.then()
                .statusCode(200)
                .body("status", equalTo("queued"))
                .body("cause", equalTo("gate_rejected"))
                .body("disposition", equalTo("requeued"))
                .body("error.message", equalTo("no"))
                .body("result", nullValue())
                .body("outcome", nullValue());
        JsonPath read = work.read();
        Duration pause = Duration.between(time(read, "updatedAt"), time(read, "availableAt"));
        assertTrue(pause.compareTo(Duration.ofSeconds(30)) >= 0, () -> "backs off: " + pause);
        assertTrue(last(work, "transition").get("data").toString().contains("result={sheep=7}"));
        // and the next attempt is told; after it the budget is spent
        TestSql.execute("update delegation set available_at = now() where id = ?", work.id());
        assertEquals("gate_rejected", claim(queue, "two").getString("items[0].previous.cause"));
        work.report("completed", "epoch", 2).then().body("reason", equalTo("retries_exhausted"));
        // and the first report again hears what came of it
        work.report("completed", "epoch", 1, "result", body("sheep", 7))
                .then()
                .statusCode(200)
                .body("disposition", equalTo("requeued"))
                .body("status", equalTo("failed"));
    }

    static Stream<Arguments> lies() {
        return Stream.of(
                Arguments.of(200, "<html><body>{\"pass\": true}</body></html>"),
                Arguments.of(200, "{\"pass\": \"true\"}"),
                Arguments.of(200, "{\"passed\": true}"),
                Arguments.of(200, "true"),
                Arguments.of(200, ""),
                Arguments.of(200, "{\"pass\": true} and more"),
                Arguments.of(200, "{\"pass\": true, \"detail\": \"" + "x".repeat(70_000) + "\"}"),
                Arguments.of(404, "{\"pass\": true}"),
                Arguments.of(500, "{\"pass\": true}"));
    }

    @ParameterizedTest
    @MethodSource("lies")
    void whatIsNeitherYesNorNoSettlesNothing(int status, String answer) {
        gate.answers(status, answer);
        TestDelegation work = gated().register();

        work.report("completed", "epoch", 1)
                .then()
                .statusCode(202)
                .body("status", equalTo("in_progress"))
                .body("disposition", nullValue())
                .body("outcome.exitCode", equalTo(0));

        // and the next tick asks again
        gate.passes(true);
        sweep();
        assertEquals("completed", work.status());
    }

    @Test
    void aRedirectIsNotFollowed() {
        gate.answers(302, "").with("Location", gate.url() + "/elsewhere");
        TestDelegation work = gated().register();

        work.report("completed", "epoch", 1).then().statusCode(202);

        assertEquals(
                List.of("/gate"),
                gate.asked().stream().map(GateServer.Asked::path).toList());
    }

    @Test
    void whileItIsAwayTheReportIsKeptAndTheSameAgainPending() {
        // given a gate that is away
        gate.goAway();
        TestDelegation work = gated().register();

        // when
        work.report("completed", "epoch", 1, "result", body("sheep", 7)).then().statusCode(202);

        // then nobody takes the work for dead, however long its agent is silent
        TestSql.silence(work.id());
        sweep();
        assertEquals("in_progress", work.status());
        JsonPath read = work.read();
        assertEquals(7, read.getInt("result.sheep"));
        // and the same report again is pending, without asking or recording anything
        long version = read.getLong("version");
        work.report("completed", "epoch", 1, "result", body("sheep", 7))
                .then()
                .statusCode(202)
                .body("version", equalTo((int) version));
        assertEquals(1, work.events("outcome").size());
        // until it is back, and a tick settles it
        gate.comeBack();
        sweep();
        JsonPath settled = work.read();
        assertEquals("completed", settled.getString("status"));
        assertEquals("agent_reported", settled.getString("reason"));
        assertEquals(7, settled.getInt("result.sheep"));
        Map<String, Object> end = last(work, "transition");
        assertEquals("finalization", end.get("rule"));
        assertTrue(end.get("data").toString().contains("gate={passed=true}"), end::toString);
        work.report("completed", "epoch", 1, "result", body("sheep", 7))
                .then()
                .statusCode(200)
                .body("disposition", equalTo("settled"));
    }

    @Test
    void aSlowOneIsNotWaitedForButAskedAgain() {
        gate.hold();
        TestDelegation work = gated(body("url", gate.url(), "timeout", "PT1S")).register();
        long since = System.nanoTime();

        work.report("completed", "epoch", 1).then().statusCode(202);

        assertTrue(Duration.ofNanos(System.nanoTime() - since).compareTo(Duration.ofSeconds(4)) < 0);
        gate.release();
        sweep();
        assertEquals("completed", work.status());
    }

    @Test
    void itsDeadlineEndsTheWaiting() {
        gate.goAway();
        TestDelegation work = gated().register();
        work.report("completed", "epoch", 1).then().statusCode(202);
        TestSql.deadlineHasCome(work.id());

        sweep();

        assertEquals("deadline_exceeded", work.read().getString("reason"));
    }

    @Test
    void whoIsSettledWhileTheGateThinksIsNotSettledAgain() throws Exception {
        // given a report whose gate has not answered yet
        gate.hold();
        TestDelegation work = gated().register();
        Future<Response> report = TestParallel.begin(() -> work.report("completed", "epoch", 1));
        Awaitility.await().until(() -> gate.asked().size() == 1);

        // when an operator closes it meanwhile
        work.closed("failed");
        gate.release();

        // then the answer of the gate comes too late to do anything
        report.get(30, TimeUnit.SECONDS)
                .then()
                .statusCode(200)
                .body("status", equalTo("failed"))
                .body("reason", equalTo("operator"))
                .body("disposition", equalTo("settled"));
        assertEquals("failed", last(work, "transition").get("to"));
    }

    @Test
    void whoIsEditedWhileTheGateThinksIsAskedAboutAgain() throws Exception {
        gate.hold();
        TestDelegation work = gated().register();
        Future<Response> report = TestParallel.begin(() -> work.report("completed", "epoch", 1));
        Awaitility.await().until(() -> gate.asked().size() == 1);

        work.edit("labels", body("urgent", "yes")).then().statusCode(200);
        gate.release();

        assertEquals(202, report.get(30, TimeUnit.SECONDS).statusCode());
        sweep();
        assertEquals("completed", work.status());
        assertEquals("yes", JsonPath.from(gate.asked().get(1).body()).getString("labels.urgent"));
    }

    @Test
    void aReportOfFailureNeedsNoGateNorDoesAnOperator() {
        TestDelegation failed = gated().register();
        failed.report("failed", "epoch", 1).then().statusCode(200).body("status", equalTo("failed"));
        TestDelegation closed = gated().register().closed("completed");

        assertEquals("completed", closed.status());
        assertEquals(0, gate.asked().size());
    }

    @Test
    void anOperatorWhoClosesItKeepsTheResult() {
        gate.goAway();
        TestDelegation work = gated().register();
        work.report("completed", "epoch", 1, "result", body("sheep", 7)).then().statusCode(202);

        work.closed("completed");

        assertEquals(7, work.read().getInt("result.sheep"));
        work.report("completed", "epoch", 1, "result", body("sheep", 7))
                .then()
                .statusCode(200)
                .body("disposition", equalTo("settled"));
    }

    @Test
    void anAgentMayThinkBetterOfItWhileTheGateIsAway() {
        gate.goAway();
        TestDelegation work = gated().register();
        work.report("completed", "epoch", 1).then().statusCode(202);

        work.report("failed", "epoch", 1, "error", body("message", "no, it did not work"))
                .then()
                .statusCode(200)
                .body("status", equalTo("failed"))
                .body("disposition", equalTo("settled"));
    }

    @Test
    void whatWasCalledOffIsCancelledWhateverTheGateSays() {
        TestDelegation work = gated().register().begun();
        work.cancel().then().statusCode(202);

        work.report("completed", "epoch", 1, "result", body("sheep", 7))
                .then()
                .statusCode(200)
                .body("status", equalTo("cancelled"))
                .body("result.sheep", equalTo(7));
        assertEquals(0, gate.asked().size());
    }

    @Test
    void anOutcomeThatWasRecordedBeforeStands() {
        TestDelegation work = gated().register();
        work.outcome(0, "epoch", 1, "note", "pushing").then().statusCode(200);

        work.report("completed", "epoch", 1).then().statusCode(200).body("outcome.note", equalTo("pushing"));
        TestDelegation failedFirst = gated().register();
        failedFirst.outcome(1, "epoch", 1).then().statusCode(200);
        failedFirst
                .report("completed", "epoch", 1)
                .then()
                .statusCode(200)
                .body("status", equalTo("completed"))
                .body("outcome.exitCode", equalTo(0));
    }

    @Test
    void aQueueGivesItsGateToWhatIsRegisteredAfterwards() {
        String queue = TestApi.unique("queue");
        TestApi.json()
                .body(Map.of("gate", body("url", gate.url(), "headers", body("Authorization", "ci"))))
                .put("/v1/queues/{queue}", queue)
                .then()
                .statusCode(200)
                .body("gate.url", equalTo(gate.url()))
                .body("gate.headers.Authorization", equalTo("ci"));
        TestApi.get("/v1/queues/" + queue).then().body("gate.url", equalTo(gate.url()));
        TestDelegation work = queued().with("queue", queue).register();
        TestApi.json().body(Map.of()).put("/v1/queues/{queue}", queue).then().body("gate", nullValue());
        TestDelegation later = queued().with("queue", queue).register();
        claim(queue, "one", "max", 2);

        later.report("completed", "epoch", 1).then().statusCode(200);
        assertEquals(0, gate.asked().size());
        work.report("completed", "epoch", 1).then().statusCode(200);
        assertEquals(1, gate.asked().size());
    }

    @Test
    void aSuccessorHasTheSameGate() {
        gate.rejects("no");
        TestDelegation work = gated().register();
        work.report("completed", "epoch", 1).then().body("status", equalTo("failed"));
        TestDelegation next = TestApi.delegation(UUID.fromString(work.retry().path("id")));

        next.report("completed", "epoch", 1).then().body("reason", equalTo("gate_rejected"));
    }

    @Test
    void secretsAreSentButNeverShown() {
        TestDelegation work = gated(body("url", gate.url(), "headers", body("Authorization", "ci")))
                .register();

        Response answer = work.report("completed", "epoch", 1);

        answer.then().statusCode(200);
        assertEquals(
                List.of("Bearer of-good-news"), gate.asked().get(0).headers().get("Authorization"));
        String seen = answer.asString()
                + work.get().asString()
                + work.events()
                + gate.asked().get(0).body();
        assertFalse(seen.contains("of-good-news"), seen);
        assertEquals(
                0,
                TestSql.count(
                        "select count(*) from delegation where id = ? and cast(gate as text) like '%of-good-news%'",
                        work.id()));
    }

    @Test
    void aSecretThatIsNotKnownOrNotForThatHostIsRefused() {
        expectProblem(refused(body("url", gate.url(), "headers", body("X-Key", "nobody"))), 400, "invalid-request")
                .body("violations.field", hasItem("gate.headers.X-Key"));
        expectProblem(refused(body("url", gate.url(), "headers", body("X-Key", "other"))), 400, "invalid-request")
                .body("violations.field", hasItem("gate.headers.X-Key"));
        expectProblem(refused(body("url", gate.url(), "headers", body("Host", "ci"))), 400, "invalid-request");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ftp://ci.example.org/gate",
                "https://user:password@ci.example.org/gate",
                "https://ci.example.org/gate#top",
                "https:///gate",
                "/gate",
                "not a url"
            })
    void aUrlThatCannotBeAskedIsRefused(String url) {
        expectProblem(refused(body("url", url)), 400, "invalid-request").body("violations.field", hasItem("gate.url"));
        expectProblem(
                        TestApi.json()
                                .body(Map.of("gate", body("url", url)))
                                .put("/v1/queues/{queue}", TestApi.unique("queue")),
                        400,
                        "invalid-request")
                .body("violations.field", hasItem("gate.url"));
    }

    @Test
    void aTimeoutOutOfRangeIsRefused() {
        for (String timeout : List.of("PT0.5S", "PT6S")) {
            expectProblem(refused(body("url", gate.url(), "timeout", timeout)), 400, "invalid-request")
                    .body("violations.field", hasItem("gate.timeout"));
        }
    }

    @Test
    void theGateBelongsToTheBodyThatMakesARegistrationTheSame() {
        TestApi.Draft draft = gated().key(TestApi.unique("key"));
        draft.register();

        draft.post().then().statusCode(200);
        expectProblem(draft.with("gate", body("url", gate.url() + "/other")).post(), 422, "idempotency-mismatch");
        assertNull(TestApi.list("caller", draft.get("caller")).get("items[1]"));
    }

    private TestApi.Draft gated() {
        return gated(body("url", gate.url()));
    }

    private static TestApi.Draft gated(Map<String, Object> gate) {
        return direct().with("gate", gate);
    }

    private TestApi.Draft gatedInQueue() {
        return queued().with("gate", body("url", gate.url()));
    }

    private static Response refused(Map<String, Object> gate) {
        return gated(gate).post();
    }

    private static Map<String, Object> last(TestDelegation work, String kind) {
        List<Map<String, Object>> events = work.events(kind);
        return events.get(events.size() - 1);
    }
}
