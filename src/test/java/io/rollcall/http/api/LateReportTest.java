package io.rollcall.http.api;

import static io.rollcall.testing.TestApi.body;
import static io.rollcall.testing.TestApi.direct;
import static io.rollcall.testing.TestApi.expectProblem;
import static io.rollcall.testing.TestApi.queued;
import static org.hamcrest.Matchers.equalTo;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quarkus.test.junit.QuarkusTest;
import io.restassured.path.json.JsonPath;
import io.restassured.response.Response;
import io.rollcall.testing.TestApi;
import io.rollcall.testing.TestDelegation;
import io.rollcall.testing.TestParallel;
import io.rollcall.testing.TestSql;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Reports that come twice, too late, or at the same moment as somebody else's. */
@QuarkusTest
class LateReportTest {
    @Test
    void theSameReportAgainIsAnsweredAsAtFirst() {
        TestDelegation work = direct().register().begun();
        work.report("completed", "epoch", 1, "result", body("a", 1, "b", 2))
                .then()
                .statusCode(200);
        String before = work.get().asString();

        Response again = work.report("completed", "result", body("b", 2, "a", 1), "epoch", 1);

        again.then().statusCode(200).body("disposition", equalTo("settled")).body("status", equalTo("completed"));
        assertEquals(before, work.get().asString());
        assertEquals(0, work.events("late_report").size());
    }

    @Test
    void theSameReportAgainHearsTheFirstDispositionWhateverItLedTo() {
        // given a failure that was requeued
        TestDelegation work = direct().with("recovery", "requeue").register();
        work.report("failed", "epoch", 1, "error", body("class", "timeout"))
                .then()
                .body("disposition", equalTo("requeued"))
                .body("status", equalTo("queued"));

        // then, while it waits
        work.report("failed", "epoch", 1, "error", body("class", "timeout"))
                .then()
                .statusCode(200)
                .body("disposition", equalTo("requeued"))
                .body("status", equalTo("queued"));
        // and after an operator closed it
        work.closed("completed");
        work.report("failed", "epoch", 1, "error", body("class", "timeout"))
                .then()
                .statusCode(200)
                .body("disposition", equalTo("requeued"))
                .body("status", equalTo("completed"))
                .body("requeueCount", equalTo(1));
        assertEquals(0, work.events("late_report").size());
    }

    @Test
    void anotherReportOnAFinalOneIsRefusedAndKept() {
        // given
        TestDelegation work = direct().register().begun().closed("cancelled");
        JsonPath before = work.read();

        // when
        Response late = work.report("completed", "epoch", 1, "result", body("sheep", 7), "note", "done after all");

        // then
        expectProblem(late, 409, "invalid-transition").body("delegationStatus", equalTo("cancelled"));
        List<Map<String, Object>> kept = work.events("late_report");
        assertEquals(1, kept.size());
        assertEquals(1, kept.get(0).get("epoch"));
        assertEquals("agent:" + before.getString("agent"), kept.get(0).get("actor"));
        assertTrue(String.valueOf(kept.get(0).get("data")).contains("{sheep=7}"), "its payload");
        assertTrue(String.valueOf(kept.get(0).get("data")).contains("done after all"), "its note");
        assertEquals(before.getMap(""), work.read().getMap(""), "the delegation, with its version and updatedAt");
        assertEquals(1L, TestSql.count("select late_reports from delegation where id = ?", work.id()));
    }

    @Test
    void aReportUnderALostEpochIsRefusedAndKept() {
        // given one that waits again
        TestDelegation work = direct().with("recovery", "requeue").register();
        work.report("failed", "epoch", 1, "error", body("class", "timeout"));
        JsonPath before = work.read();

        // then
        expectProblem(work.report("completed", "epoch", 1, "result", 1), 409, "lease-lost")
                .body("delegationStatus", equalTo("queued"));
        expectProblem(work.report("completed", "epoch", 2), 409, "lease-lost");
        assertEquals(2, work.events("late_report").size());
        assertEquals(before.getMap(""), work.read().getMap(""));
        // and one that another holds
        TestDelegation held = direct().register();
        expectProblem(held.report("completed", "epoch", 2), 409, "lease-lost")
                .body("delegationStatus", equalTo("dispatched"))
                .body("epoch", equalTo(1));
        assertEquals(1, held.events("late_report").size());
        // and one that nobody ever held
        TestDelegation waiting = queued().register();
        expectProblem(waiting.report("in_progress", "epoch", 1), 409, "lease-lost");
        assertEquals(1, waiting.events("late_report").size());
    }

    @Test
    void theSameRefusedReportIsKeptOnce() {
        TestDelegation work = direct().register().closed("failed");

        for (int i = 0; i < 3; i++) {
            expectProblem(work.report("completed", "epoch", 1, "result", body("n", 1)), 409, "invalid-transition");
        }
        expectProblem(work.report("completed", "epoch", 1, "result", body("n", 2)), 409, "invalid-transition");

        assertEquals(2, work.events("late_report").size());
    }

    @Test
    void theSameRefusedReportAtTheSameMomentIsKeptOnce() {
        TestDelegation work = direct().register().closed("failed");

        TestParallel.times(10, i -> work.report("completed", "epoch", 1, "result", "r"))
                .forEach(answer -> expectProblem(answer, 409, "invalid-transition"));

        assertEquals(1, work.events("late_report").size());
    }

    @Test
    void aHundredAreKeptAndFurtherOnesCounted() {
        TestDelegation work = direct().register().closed("failed");
        String before = work.get().asString();

        TestParallel.times(
                5,
                thread -> IntStream.range(0, 21)
                        .mapToObj(i -> work.report("completed", "epoch", 1, "result", thread * 100 + i))
                        .map(answer -> expectProblem(answer, 409, "invalid-transition"))
                        .toList());

        assertEquals(100, work.events("late_report").size());
        assertEquals(105L, TestSql.count("select late_reports from delegation where id = ?", work.id()));
        assertEquals(before, work.get().asString());
        List<Object> seqs =
                work.events().stream().map(event -> event.get("seq")).toList();
        assertEquals(IntStream.rangeClosed(1, 102).boxed().toList(), seqs);
    }

    @Test
    void anOperatorsRefusedCloseIsNotALateReport() {
        TestDelegation work = direct().register().closed("failed");

        expectProblem(work.report("completed", "note", "no, it is done"), 409, "invalid-transition");

        assertEquals(0, work.events("late_report").size());
    }

    @Test
    void ofACompletionAndACancellationAtOnceOneWins() throws Exception {
        // given both have read that it is in progress, and wait for its row
        TestDelegation work = direct().register().begun();
        Future<Response> completion;
        Future<Response> cancellation;
        try (TestSql.Held held = TestSql.holdDelegation(work.id())) {
            completion = TestParallel.begin(() -> work.report("completed", "epoch", 1));
            cancellation = TestParallel.begin(() -> work.report("cancelled", "note", "called off"));
            held.awaitBlocked(2);
        }

        // then
        expectOneWinner(work, 2, completion.get(), cancellation.get());
    }

    @Test
    void aHundredTimesOneWins() {
        List<Map<String, Object>> items =
                IntStream.range(0, 100).mapToObj(i -> direct().body()).toList();
        List<TestDelegation> all = TestApi.ids(TestApi.post("/v1/delegations/batch", "items", items)
                        .then()
                        .statusCode(201)
                        .extract()
                        .jsonPath())
                .stream()
                .map(TestApi::delegation)
                .toList();
        for (int from = 0; from < all.size(); from += 5) {
            List<TestDelegation> some = all.subList(from, from + 5);
            List<Callable<Response>> calls = new ArrayList<>();
            some.forEach(work -> calls.add(() -> work.report("completed", "epoch", 1, "result", "r")));
            some.forEach(work -> calls.add(() -> work.report("cancelled", "note", "called off")));

            List<Response> answers = TestParallel.all(calls);

            for (int i = 0; i < some.size(); i++) {
                expectOneWinner(some.get(i), 1, answers.get(i), answers.get(i + some.size()));
            }
        }
    }

    private static void expectOneWinner(
            TestDelegation work, int transitions, Response completion, Response cancellation) {
        boolean completed = completion.statusCode() == 200;
        String winner = completed ? "completed" : "cancelled";
        (completed ? completion : cancellation).then().statusCode(200).body("status", equalTo(winner));
        expectProblem(completed ? cancellation : completion, 409, "invalid-transition")
                .body("delegationStatus", equalTo(winner));
        List<Object> history =
                TestSql.rows("select kind from delegation_event where delegation_id = ? order by seq", work.id())
                        .stream()
                        .map(event -> event.get("kind"))
                        .toList();
        assertEquals(winner, TestSql.delegation(work.id()).get("status"));
        assertEquals(transitions, Collections.frequency(history, "transition"), "ended once");
        assertEquals(completed ? 0 : 1, Collections.frequency(history, "late_report"), "the loser's, if an agent's");
    }
}
