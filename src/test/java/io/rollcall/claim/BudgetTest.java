package io.rollcall.claim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quarkus.test.junit.QuarkusTest;
import io.restassured.path.json.JsonPath;
import io.rollcall.testing.TestApi;
import io.rollcall.testing.TestDelegation;
import io.rollcall.testing.TestParallel;
import io.rollcall.testing.TestSql;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** One budget for all that goes wrong, and the backoff that it is spent with. */
@QuarkusTest
class BudgetTest {
    private static final Map<String, Object> TIMEOUT = Map.of("class", "timeout", "message", "no answer");

    @Test
    void fourSilentCrashesAreThreeRequeuesAndThenADeadLetter() {
        TestApi.Draft draft = TestApi.queued();
        TestDelegation work = draft.register();
        String createdAt = work.read().getString("createdAt");
        for (int crash = 1; crash <= 4; crash++) {
            assertEquals(crash, TestApi.claim(draft.get("queue"), "a").getInt("items[0].lease.epoch"));
            goSilent(work);
            assertEquals(Math.min(crash, 3), work.read().getInt("requeueCount"));
        }
        JsonPath read = work.read();
        assertEquals("failed", read.getString("status"));
        assertEquals("retries_exhausted", read.getString("reason"));
        assertEquals("heartbeat_stale", read.getString("cause"));
        assertEquals(createdAt, read.getString("createdAt"), "its identity and its age stay");
        assertTrue(TestApi.claim(draft.get("queue"), "a").getList("items").isEmpty());
        assertEquals(List.of(work.id()), TestApi.listIds("deadLetter", true, "queue", draft.get("queue")));
    }

    @Test
    void mixedCausesShareTheBudgetAndAReleaseCostsNothing() {
        TestApi.Draft draft = TestApi.queued().with("maxRequeues", 2);
        TestDelegation work = draft.register();
        TestApi.claim(draft.get("queue"), "a");
        goSilent(work);
        TestApi.claim(draft.get("queue"), "a");
        work.report("queued", "epoch", 2)
                .then()
                .statusCode(200)
                .body("disposition", org.hamcrest.Matchers.equalTo("released"));
        TestApi.claim(draft.get("queue"), "a");
        work.report("failed", "epoch", 3, "error", TIMEOUT)
                .then()
                .statusCode(200)
                .body("disposition", org.hamcrest.Matchers.equalTo("requeued"));
        makeAvailable(work);
        TestApi.claim(draft.get("queue"), "a");
        goSilent(work);
        assertEquals("retries_exhausted", work.read().getString("reason"));
        assertEquals(2, work.read().getInt("requeueCount"));
    }

    @Test
    void whatMustNotBeDoneTwiceIsNotRequeuedWhenItsAgentFallsSilent() {
        TestApi.Draft draft = TestApi.queued();
        TestDelegation work = draft.register();
        TestApi.claim(draft.get("queue"), "a");
        work.beat("epoch", 1, "effect", "non_idempotent").then().statusCode(200);
        goSilent(work);
        assertEquals("not_retryable", work.read().getString("reason"));
        assertFalse(work.read().getBoolean("retryable"));
    }

    @Test
    void afterAStaleLeaseItIsClaimableAtOnceAndAfterAFailureNotBeforeItAsked() {
        TestApi.Draft draft = TestApi.queued();
        TestDelegation work = draft.register();
        TestApi.claim(draft.get("queue"), "a");
        goSilent(work);
        assertFalse(TestApi.claim(draft.get("queue"), "a").getList("items").isEmpty());
        Map<String, Object> error = Map.of("httpStatus", 429, "message", "slow down", "retryAfterS", 120);
        Instant before = TestSql.value(Instant.class, "select now()");
        work.report("failed", "epoch", 2, "error", error).then().statusCode(200);
        assertFalse(TestApi.time(work.read(), "availableAt").isBefore(before.plusSeconds(120)));
        assertTrue(TestApi.claim(draft.get("queue"), "a").getList("items").isEmpty());
    }

    @Test
    void fiveHundredFailuresAtOnceDoNotComeBackTogether() {
        String queue = TestApi.unique("queue");
        List<Map<String, Object>> items = IntStream.range(0, 500)
                .mapToObj(i -> TestApi.queued().with("queue", queue).body())
                .toList();
        TestApi.post("/v1/delegations/batch", "items", items).then().statusCode(201);
        List<TestDelegation> claimed = IntStream.range(0, 5)
                .mapToObj(i -> TestApi.ids(TestApi.claim(queue, "a", "max", 100)))
                .flatMap(List::stream)
                .map(TestDelegation::new)
                .toList();
        assertEquals(500, claimed.size());
        Instant before = TestSql.value(Instant.class, "select now()");
        TestParallel.times(10, worker -> {
            claimed.subList(worker * 50, worker * 50 + 50)
                    .forEach(work -> work.report("failed", "epoch", 1, "error", TIMEOUT)
                            .then()
                            .statusCode(200));
            return true;
        });
        // what each waits: its availableAt from the moment of its own failure
        List<Map<String, Object>> waits = TestSql.rows(
                "select extract(epoch from available_at - updated_at) as wait, available_at from delegation where queue = ?",
                queue);
        List<Double> seconds = waits.stream()
                .map(row -> ((Number) row.get("wait")).doubleValue())
                .sorted()
                .toList();
        assertTrue(seconds.get(0) >= 30.0, "none comes early: " + seconds.get(0));
        assertTrue(seconds.get(499) <= 36.0, "nor later than the jitter allows: " + seconds.get(499));
        assertTrue(seconds.get(499) - seconds.get(0) >= 0.15 * 30, "spread " + (seconds.get(499) - seconds.get(0)));
        waits.forEach(
                row -> assertFalse(((Instant) row.get("available_at")).isBefore(before.plus(Duration.ofSeconds(30)))));
    }

    @Test
    void theQueueSaysHowLongToWaitAndAChangeOfItTouchesOnlyNewOnes() {
        TestApi.Draft draft = TestApi.queued();
        String queue = draft.get("queue");
        TestApi.json()
                .body(Map.of("maxRequeues", 1, "queueTimeout", "PT1H", "maxRunning", "PT2H", "backoffBase", "PT1M"))
                .put("/v1/queues/" + queue)
                .then()
                .statusCode(200);
        TestDelegation first = draft.register();
        TestApi.json()
                .body(Map.of("maxRequeues", 7, "heartbeatTimeout", "PT42S", "deadline", "PT3H"))
                .put("/v1/queues/" + queue)
                .then()
                .statusCode(200);
        TestDelegation second = draft.register();
        assertEquals(1, first.read().getInt("maxRequeues"));
        assertEquals("PT1H", first.read().getString("queueTimeout"));
        assertEquals("PT2H", first.read().getString("maxRunning"));
        assertEquals(7, second.read().getInt("maxRequeues"));
        assertEquals(
                Duration.ofHours(3),
                Duration.between(TestApi.time(second.read(), "createdAt"), TestApi.time(second.read(), "deadlineAt")));
        assertEquals("PT42S", TestApi.claim(queue, "a").getString("items[0].lease.leaseTime"));
        assertEquals("PT5S", TestApi.claim(queue, "a", "leaseTime", "PT5S").getString("items[0].lease.leaseTime"));
    }

    private static void goSilent(TestDelegation work) {
        TestSql.silence(work.id());
        TestSql.beatsAreAccepted();
        TestApi.sweep("force", true);
    }

    private static void makeAvailable(TestDelegation work) {
        TestSql.execute("update delegation set available_at = now() where id = ?", work.id());
    }
}
