package io.rollcall.claim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quarkus.test.junit.QuarkusTest;
import io.restassured.path.json.JsonPath;
import io.rollcall.testing.TestApi;
import io.rollcall.testing.TestDelegation;
import io.rollcall.testing.TestParallel;
import io.rollcall.testing.TestSql;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Who gets which work, when many ask at once. */
@QuarkusTest
class ClaimTest {
    @Test
    void highestPriorityComesFirstThenWhatHasBeenClaimableLongest() {
        String queue = TestApi.unique("queue");
        TestDelegation low = inQueue(queue).with("priority", 1).register();
        TestDelegation older = inQueue(queue).with("priority", 7).register();
        TestDelegation newer = inQueue(queue).with("priority", 7).register();
        TestDelegation high = inQueue(queue).with("priority", 9).register();
        TestDelegation delayed = inQueue(queue)
                .with("priority", 9)
                .with(
                        "availableAt",
                        TestSql.value(java.time.Instant.class, "select now() + interval '1 hour'")
                                .toString())
                .register();
        assertEquals(
                List.of(high.id(), older.id(), newer.id(), low.id()),
                TestApi.ids(TestApi.claim(queue, "a", "max", 10)));
        assertEquals("queued", delayed.status());
    }

    @Test
    void theSameRequestGetsTheSameLeasesAgainWhileTheyLive() {
        String queue = TestApi.unique("queue");
        List<TestDelegation> work =
                IntStream.range(0, 5).mapToObj(i -> inQueue(queue).register()).toList();
        List<UUID> first = TestApi.ids(TestApi.claim(queue, "a", "max", 2, "requestId", "r1"));
        assertEquals(2, first.size());
        assertEquals(
                Set.copyOf(first), Set.copyOf(TestApi.ids(TestApi.claim(queue, "a", "max", 2, "requestId", "r1"))));
        assertEquals(
                1, TestApi.ids(TestApi.claim(queue, "b", "requestId", "r1")).size(), "another agent's is another");
        new TestDelegation(first.get(0)).report("completed", "epoch", 1).then().statusCode(200);
        assertEquals(List.of(first.get(1)), TestApi.ids(TestApi.claim(queue, "a", "requestId", "r1")));
        assertEquals(5, work.size());
    }

    @Test
    void theSameRequestTwiceAtTheSameMomentGetsTheSameLeases() {
        String queue = TestApi.unique("queue");
        for (int i = 0; i < 40; i++) {
            inQueue(queue).register();
        }
        for (int round = 0; round < 10; round++) {
            String request = "r" + round;
            List<Set<UUID>> answers = TestParallel.times(
                    4, i -> Set.copyOf(TestApi.ids(TestApi.claim(queue, "a", "max", 3, "requestId", request))));
            assertEquals(1, Set.copyOf(answers).size(), "all four got the same");
            assertEquals(3, answers.get(0).size());
        }
        assertEquals(
                30, TestSql.count("select count(*) from delegation where queue = ? and status = 'dispatched'", queue));
    }

    @Test
    void manyAgentsAtOnceNeverGetTheSame() {
        String queue = TestApi.unique("queue");
        batch(queue, 400);
        List<List<UUID>> got = TestParallel.times(
                16,
                i -> IntStream.range(0, 5)
                        .mapToObj(round -> TestApi.ids(TestApi.claim(queue, "agent-" + i, "max", 5)))
                        .flatMap(List::stream)
                        .toList());
        List<UUID> all = got.stream().flatMap(List::stream).toList();
        assertEquals(400, all.size());
        assertEquals(400, new HashSet<>(all).size());
        assertEquals(
                400,
                TestSql.count(
                        "select count(*) from lease l join delegation d on d.id = l.delegation_id"
                                + " where d.queue = ? and l.epoch = 1 and l.stale_at > now()",
                        queue));
    }

    @Test
    void aLimitedQueueNeverHasMoreInFlightAlthoughManyClaimAtOnce() {
        String queue = TestApi.unique("queue");
        put(queue, Map.of("maxInFlight", 3));
        batch(queue, 40);
        List<Integer> got = TestParallel.times(
                12, i -> TestApi.ids(TestApi.claim(queue, "a" + i, "max", 2)).size());
        assertEquals(3, got.stream().mapToInt(Integer::intValue).sum());
        assertEquals(3, TestApi.get("/v1/queues/" + queue).jsonPath().getInt("inFlight"));
        assertEquals(37, TestApi.get("/v1/queues/" + queue).jsonPath().getInt("depth"));
    }

    @Test
    void aHolderTakenForDeadByMistakeNeverMakesTwoInFlightWhereOneIsAllowed() {
        String queue = TestApi.unique("queue");
        put(queue, Map.of("maxInFlight", 1));
        TestDelegation work = inQueue(queue).register();
        inQueue(queue).register();
        TestApi.claim(queue, "a");
        TestSql.silence(work.id());
        assertTrue(TestApi.ids(TestApi.claim(queue, "b")).isEmpty(), "stale but not swept yet: it holds its place");
        TestSql.beatsAreAccepted();
        TestApi.sweep("force", true);
        List<UUID> next = TestApi.ids(TestApi.claim(queue, "b"));
        assertEquals(1, next.size());
        work.beat("epoch", 1).then().statusCode(409); // the holder lives after all
        assertTrue(TestApi.ids(TestApi.claim(queue, "c")).isEmpty());
        assertEquals(1, TestApi.get("/v1/queues/" + queue).jsonPath().getInt("inFlight"));
    }

    @Test
    void stuckOnesHoldNoPlace() {
        String queue = TestApi.unique("queue");
        put(queue, Map.of("maxInFlight", 1));
        TestDelegation work = inQueue(queue).with("recovery", "none").register();
        inQueue(queue).register();
        TestApi.claim(queue, "a");
        work.stuck();
        assertEquals(1, TestApi.ids(TestApi.claim(queue, "b")).size());
        work.beat("epoch", 1).then().statusCode(200).body("status", org.hamcrest.Matchers.equalTo("stuck"));
    }

    @Test
    void aPausedQueueHandsOutNothingButWhatIsInFlightGoesOn() {
        String queue = TestApi.unique("queue");
        TestDelegation work = inQueue(queue).register();
        inQueue(queue).register();
        TestApi.claim(queue, "a");
        put(queue, Map.of("paused", true));
        assertTrue(TestApi.ids(TestApi.claim(queue, "a")).isEmpty());
        work.beat("epoch", 1).then().statusCode(200);
        TestDelegation retried = inQueue(queue).register().closed("failed");
        retried.retry().then().statusCode(201);
        assertTrue(TestApi.ids(TestApi.claim(queue, "a")).isEmpty(), "nor is a retry handed out");
        put(queue, Map.of("paused", false));
        assertEquals(2, TestApi.ids(TestApi.claim(queue, "a", "max", 5)).size());
    }

    @Test
    void onceAPauseIsAnsweredNoClaimThatBeganBeforeItGetsAnything() throws Exception {
        String queue = TestApi.unique("queue");
        batch(queue, 200);
        for (int round = 0; round < 10; round++) {
            put(queue, Map.of("paused", false));
            Future<Integer> claims = TestParallel.begin(() -> {
                int got;
                int sum = 0;
                do {
                    got = TestApi.ids(TestApi.claim(queue, "a")).size();
                    sum += got;
                } while (got > 0 && sum < 20);
                return sum;
            });
            put(queue, Map.of("paused", true));
            long whenPaused = dispatched(queue);
            claims.get();
            assertEquals(whenPaused, dispatched(queue));
        }
    }

    @Test
    void aClaimThatMeetsADeadlineOrACancellationHasOneWinner() {
        for (int round = 0; round < 30; round++) {
            String queue = TestApi.unique("queue");
            TestDelegation work = inQueue(queue).register();
            TestSql.execute(
                    "update delegation set deadline_at = now() + interval '3 ms', due_at = now() + interval '3 ms'"
                            + " where id = ?",
                    work.id());
            List<Callable<Object>> calls = List.of(
                    () -> TestApi.ids(TestApi.claim(queue, "a")).size(),
                    () -> TestApi.sweep(),
                    () -> work.cancel().statusCode());
            List<Object> answers = TestParallel.all(calls);
            String status = work.status();
            long leases = TestSql.count("select count(*) from lease where delegation_id = ?", work.id());
            long dispatched = work.events().stream()
                    .filter(event -> "dispatched".equals(event.get("to")))
                    .count();
            assertEquals((long) (Integer) answers.get(0), dispatched);
            assertEquals(Set.of("failed", "cancelled").contains(status) ? 0 : 1, leases, status);
        }
    }

    @Test
    void whatIsDescribedByAnAgentIsKeptWithItsAttempt() {
        String queue = TestApi.unique("queue");
        TestDelegation work = inQueue(queue).register();
        Map<String, Object> probe =
                Map.of("kind", "process", "bootId", "b", "pidNamespace", "p", "pid", 7, "startTicks", 9);
        TestApi.claim(queue, "a", "instance", "i-1", "probe", probe);
        Map<String, Object> attempt = TestSql.rows(
                        "select epoch, agent, instance, probe ->> 'pid' as pid from attempt where delegation_id = ?",
                        work.id())
                .get(0);
        assertEquals("{epoch=1, agent=a, instance=i-1, pid=7}", attempt.toString());
    }

    @Test
    void theListFiltersByHolderAndAQueueWithOpenOnesCannotBeForgotten() {
        String queue = TestApi.unique("queue");
        String agent = TestApi.unique("agent");
        put(queue, Map.of("maxInFlight", 5));
        TestDelegation work = inQueue(queue).register();
        TestApi.claim(queue, agent);
        assertEquals(List.of(work.id()), TestApi.listIds("agent", agent));
        TestApi.expectProblem(io.restassured.RestAssured.delete("/v1/queues/" + queue), 409, "queue-not-empty");
        work.report("completed", "epoch", 1).then().statusCode(200);
        io.restassured.RestAssured.delete("/v1/queues/" + queue).then().statusCode(204);
        JsonPath queues = TestApi.get("/v1/queues").jsonPath();
        assertTrue(queues.getList("items.name").contains(queue), "it still has delegations");
    }

    private static TestApi.Draft inQueue(String queue) {
        return TestApi.queued().with("queue", queue);
    }

    private static void batch(String queue, int size) {
        List<Map<String, Object>> items =
                IntStream.range(0, size).mapToObj(i -> inQueue(queue).body()).toList();
        TestApi.post("/v1/delegations/batch", "items", items).then().statusCode(201);
    }

    private static void put(String queue, Map<String, Object> settings) {
        TestApi.json().body(settings).put("/v1/queues/" + queue).then().statusCode(200);
    }

    private static long dispatched(String queue) {
        return TestSql.count("select count(*) from delegation where queue = ? and status = 'dispatched'", queue);
    }
}
