package io.rollcall.claim;

import static io.rollcall.testing.TestApi.expectProblem;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quarkus.test.junit.QuarkusTest;
import io.restassured.path.json.JsonPath;
import io.restassured.response.Response;
import io.rollcall.testing.TestApi;
import io.rollcall.testing.TestDelegation;
import io.rollcall.testing.TestSql;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** The epoch fences: who lost a lease changes nothing, whatever its name. */
@QuarkusTest
class EpochTest {
    @Test
    void theOldHolderIsRefusedEverywhereAlthoughItHasTheNameOfTheNewOne() {
        TestApi.Draft draft = TestApi.queued();
        TestDelegation work = draft.register();
        String queue = draft.get("queue");
        TestApi.claim(queue, "twin");
        work.beat("epoch", 1, "progress", 0.5, "note", "half-way", "effect", "none")
                .then()
                .statusCode(200);
        TestSql.silence(work.id());
        TestSql.beatsAreAccepted();
        TestApi.sweep("force", true);
        JsonPath second = TestApi.claim(queue, "twin");
        assertEquals(2, second.getInt("items[0].lease.epoch"));
        assertEquals(
                Map.of(
                        "epoch",
                        1,
                        "agent",
                        "twin",
                        "effect",
                        "none",
                        "progress",
                        0.5f,
                        "note",
                        "half-way",
                        "cause",
                        "heartbeat_stale"),
                second.getMap("items[0].previous"));
        Map<String, Object> before = TestSql.delegation(work.id());
        Map<String, Object> leaseBefore = lease(work);

        List<Supplier<Response>> oldCalls = List.of(
                () -> work.beat("epoch", 1),
                () -> work.step(1, "late", Map.of("x", 1)),
                () -> work.report("in_progress", "epoch", 1),
                () -> work.report("completed", "epoch", 1),
                () -> work.report("failed", "epoch", 1),
                () -> work.report("cancelled", "epoch", 1),
                () -> work.report("queued", "epoch", 1));
        for (Supplier<Response> call : oldCalls) {
            expectProblem(call.get(), 409, "lease-lost")
                    .body("delegationStatus", org.hamcrest.Matchers.equalTo("dispatched"));
        }

        Map<String, Object> after = TestSql.delegation(work.id());
        assertEquals(leaseBefore.toString(), lease(work).toString());
        for (String aside :
                List.of("late_reports", "body_hash")) { // the count may grow; an array has no text to compare
            before.remove(aside);
            after.remove(aside);
        }
        assertEquals(before.toString(), after.toString());
        assertEquals(6, work.events("late_report").size(), "all but the heartbeat are kept");
        work.report("completed", "epoch", 2).then().statusCode(200);
    }

    @Test
    void everyAcquisitionHasANewEpochAndStepsOfDifferentEpochsNeverCollide() {
        TestApi.Draft draft = TestApi.queued();
        TestDelegation work = draft.register();
        for (int epoch = 1; epoch <= 4; epoch++) {
            JsonPath claimed = TestApi.claim(draft.get("queue"), "agent");
            assertEquals(epoch, claimed.getInt("items[0].lease.epoch"));
            work.step(epoch, "compiled", Map.of("epoch", epoch)).then().statusCode(201);
            work.step(epoch, "tested", Map.of("epoch", epoch)).then().statusCode(201);
            work.report("queued", "epoch", epoch).then().statusCode(200);
        }
        List<Object> numbers =
                work.events().stream().map(event -> event.get("seq")).toList();
        assertEquals(numbers.stream().distinct().count(), numbers.size());
        assertEquals(8, work.events("step").size());
    }

    @Test
    void aStepIsAHeartbeatAndSoEndsTheFreePassOfADirectOne() {
        TestDelegation work = TestApi.direct().register();
        work.step(1, "started", Map.of()).then().statusCode(201);
        JsonPath read = work.read();
        assertEquals("in_progress", read.getString("status"));
        org.junit.jupiter.api.Assertions.assertNotNull(read.getString("lease.staleAt"));
    }

    private static Map<String, Object> lease(TestDelegation work) {
        return TestSql.rows("select * from lease where delegation_id = ?", work.id())
                .get(0);
    }
}
