package io.rollcall.claim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quarkus.test.junit.QuarkusTest;
import io.restassured.path.json.JsonPath;
import io.rollcall.testing.TestApi;
import io.rollcall.testing.TestDelegation;
import io.rollcall.testing.TestParallel;
import io.rollcall.testing.TestSql;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.hamcrest.Matchers;
import org.junit.jupiter.api.Test;

/** Calling work off, and what it meets. */
@QuarkusTest
class CancelTest {
    @Test
    void whatIsQueuedOrStuckIsCancelledAtOnce() {
        TestDelegation queued = TestApi.queued().register();
        queued.cancel("note", "not needed").then().statusCode(200).body("status", Matchers.equalTo("cancelled"));
        TestDelegation stuck = TestApi.direct().register().begun().stuck();
        stuck.cancel().then().statusCode(200).body("reason", Matchers.equalTo("cancelled"));
        stuck.beat().then().statusCode(409);
        queued.cancel().then().statusCode(200);
        assertEquals(2, queued.events().size(), "asked again, nothing new");
    }

    @Test
    void anAgentHearsOfItWithItsNextHeartbeatAndItsResultIsKept() {
        TestDelegation work = TestApi.direct().register().begun();
        JsonPath asked =
                work.cancel("note", "stop").then().statusCode(202).extract().jsonPath();
        assertEquals(
                Duration.parse(asked.getString("lease.leaseTime")),
                Duration.between(TestApi.time(asked, "updatedAt"), TestApi.time(asked, "cancelBy")));
        work.cancel().then().statusCode(202).body("cancelBy", Matchers.equalTo(asked.getString("cancelBy")));
        assertEquals(1, work.events("cancel_requested").size());
        work.beat().then().statusCode(200).body("directive", Matchers.equalTo("cancel"));
        work.report("completed", "result", Map.of("pages", 7))
                .then()
                .statusCode(200)
                .body("status", Matchers.equalTo("cancelled"))
                .body("result.pages", Matchers.equalTo(7))
                .body("disposition", Matchers.equalTo("settled"));
        work.cancel().then().statusCode(200);
    }

    @Test
    void anAgentThatNeverBeatsOrDoesNotHeedItIsEndedAllTheSame() {
        TestDelegation silent = TestApi.direct().register();
        TestDelegation deaf = TestApi.direct().register().begun();
        for (TestDelegation work : List.of(silent, deaf)) {
            work.cancel().then().statusCode(202);
            TestSql.execute(
                    "update delegation set cancel_by = now() - interval '1 ms', due_at = now() - interval '1 ms'"
                            + " where id = ?",
                    work.id());
        }
        TestSql.execute("update beat_acceptance set noted_at = now(), returned_at = now() - interval '1 day'");
        deaf.beat().then().statusCode(200);
        TestApi.sweep();
        for (TestDelegation work : List.of(silent, deaf)) {
            assertEquals("cancelled", work.status());
            assertEquals(
                    "cancel",
                    work.events("transition")
                            .get(work.events("transition").size() - 1)
                            .get("rule"));
        }
    }

    @Test
    void whoCouldNotBeReachedBecauseWeWereAwayGetsOneLeaseTimeFromOurReturn() {
        TestDelegation work = TestApi.direct().register().begun();
        work.cancel().then().statusCode(202);
        TestSql.execute(
                "update delegation set cancel_by = now() - interval '1 ms', due_at = now() - interval '1 ms' where id = ?",
                work.id());
        TestSql.execute("update beat_acceptance set noted_at = now(), returned_at = now()");
        TestApi.sweep();
        assertEquals("in_progress", work.status());
        TestSql.execute("update beat_acceptance set noted_at = now(), returned_at = now() - interval '11 minutes'");
        TestApi.sweep();
        assertEquals("cancelled", work.status());
    }

    @Test
    void aFailureAStaleLeaseAReleaseOrADeadlineAfterItAreCancellations() {
        String queue = TestApi.unique("queue");
        for (String end : List.of("failed", "stale", "queued", "deadline", "cancelled")) {
            TestDelegation work = TestApi.queued().with("queue", queue).register();
            TestApi.claim(queue, "a");
            work.cancel().then().statusCode(202);
            switch (end) {
                case "stale" -> {
                    TestSql.silence(work.id());
                    TestSql.beatsAreAccepted();
                    TestSql.execute("update beat_acceptance set returned_at = now() - interval '1 day'");
                    TestApi.sweep("force", true);
                }
                case "deadline" -> {
                    TestSql.deadlineHasCome(work.id());
                    TestApi.sweep();
                }
                default -> work.report(end, "epoch", 1).then().statusCode(200);
            }
            assertEquals("cancelled", work.status(), end);
            assertEquals("cancelled", work.read().getString("reason"), end);
        }
    }

    @Test
    void whatIsCompletedOrFailedCannotBeCancelled() {
        TestDelegation completed = TestApi.direct().register().closed("completed");
        TestApi.expectProblem(completed.cancel(), 409, "invalid-transition");
        TestDelegation failed = TestApi.direct().register().closed("failed");
        TestApi.expectProblem(failed.cancel(), 409, "invalid-transition");
    }

    @Test
    void aThousandCancellationsAgainstCompletionsHaveOneWinnerEach() {
        List<Map<String, Object>> items =
                IntStream.range(0, 1_000).mapToObj(i -> TestApi.direct().body()).toList();
        List<TestDelegation> works = TestApi.ids(TestApi.post("/v1/delegations/batch", "items", items)
                        .then()
                        .statusCode(201)
                        .extract()
                        .jsonPath())
                .stream()
                .map(TestDelegation::new)
                .toList();
        // two pairs of threads: both calls on one delegation begin at the same moment; of every ten pairs one is forced
        // into
        // each order, so that either side wins some however fast the other is
        List<CyclicBarrier> barriers = List.of(new CyclicBarrier(2), new CyclicBarrier(2));
        TestParallel.times(4, side -> {
            boolean cancels = side % 2 == 0;
            CyclicBarrier together = barriers.get(side / 2);
            for (int i = 0; i < 500; i++) {
                TestDelegation work = works.get((side / 2) * 500 + i);
                boolean waitsForTheOther = i % 10 == (cancels ? 5 : 0);
                boolean isWaitedFor = i % 10 == (cancels ? 0 : 5);
                meet(together);
                if (waitsForTheOther) {
                    meet(together);
                }
                if (cancels) {
                    assertTrue(Set.of(202, 409).contains(work.cancel().statusCode()));
                } else {
                    assertEquals(200, work.report("completed").statusCode());
                }
                if (isWaitedFor) {
                    meet(together);
                }
            }
            return true;
        });
        int cancelled = 0;
        for (Map<String, Object> row : TestSql.rows(
                """
                select d.id, d.status,
                       (select count(*) from delegation_event e where e.delegation_id = d.id and e.to_status in
                           ('completed', 'cancelled')) as ends,
                       (select count(*) from delegation_event e where e.delegation_id = d.id
                           and e.kind = 'cancel_requested') as asked,
                       (select count(*) from lease l where l.delegation_id = d.id) as leases
                from delegation d where d.id = any(?)
                """, (Object) works.stream().map(TestDelegation::id).toArray(UUID[]::new))) {
            assertEquals(1L, row.get("ends"));
            assertEquals(0L, row.get("leases"));
            assertEquals(row.get("asked").equals(1L) ? "cancelled" : "completed", row.get("status"));
            cancelled += row.get("status").equals("cancelled") ? 1 : 0;
        }
        assertTrue(cancelled > 0 && cancelled < 1_000, "both won some: " + cancelled);
    }

    @Test
    void cancelClaimAndReportOfOneDelegationAtOneMomentNeverDeadlock() {
        long deadlocksBefore = deadlocks();
        for (int round = 0; round < 60; round++) {
            String queue = TestApi.unique("queue");
            TestDelegation work = TestApi.queued().with("queue", queue).register();
            TestApi.claim(queue, "a");
            work.report("queued", "epoch", 1).then().statusCode(200);
            List<Callable<Object>> calls = List.of(
                    () -> TestApi.claim(queue, "b").getList("items").size(),
                    () -> work.cancel().statusCode(),
                    () -> work.report("completed", "epoch", 2).statusCode(),
                    () -> work.beat("epoch", 2).statusCode(),
                    () -> work.step(2, "s", Map.of()).statusCode());
            List<Object> answers = TestParallel.all(calls);
            assertTrue(answers.stream().noneMatch(answer -> answer.equals(500)), answers.toString());
            assertTrue(answers.stream().noneMatch(answer -> answer.equals(503)), answers.toString());
            assertNotNull(work.status());
        }
        assertEquals(deadlocksBefore, deadlocks());
    }

    /** What is refused goes into the history too: whoever claims at that moment must go on from there. */
    @Test
    void claimsAndRefusedReportsOfTheSameDelegationsNumberTheirHistoriesWithoutAGap() {
        String queue = TestApi.unique("queue");
        List<TestDelegation> works = IntStream.range(0, 4)
                .mapToObj(i -> TestApi.queued().with("queue", queue).register())
                .toList();
        AtomicInteger claims = new AtomicInteger();
        AtomicBoolean done = new AtomicBoolean();
        Callable<Boolean> reports = () -> {
            for (int i = 0; i < 60 && !done.get(); i++) {
                for (TestDelegation work : works) {
                    work.report("completed", "epoch", 9_999, "result", Map.of("attempt", UUID.randomUUID()))
                            .then()
                            .statusCode(409);
                }
            }
            done.set(true);
            return true;
        };
        Callable<Boolean> agent = () -> {
            while (!done.get()) {
                for (Map<String, Object> item :
                        TestApi.claim(queue, "a", "max", 4).<Map<String, Object>>getList("items")) {
                    claims.incrementAndGet();
                    TestApi.delegation(UUID.fromString((String) item.get("id")))
                            .report("queued", "epoch", ((Map<?, ?>) item.get("lease")).get("epoch"))
                            .then()
                            .statusCode(200);
                }
            }
            return true;
        };

        TestParallel.all(List.of(reports, agent, agent));

        assertTrue(claims.get() > 20, claims::toString);
        for (Map<String, Object> row : TestSql.rows(
                """
                select count(*) as events, max(seq) as last,
                       count(*) filter (where to_status = 'dispatched') as claimed,
                       (select epoch from delegation where id = delegation_id) as epoch
                from delegation_event where delegation_id = any(?) group by delegation_id
                """, (Object) works.stream().map(TestDelegation::id).toArray(UUID[]::new))) {
            assertEquals(row.get("events"), row.get("last"));
            assertEquals(row.get("epoch"), row.get("claimed"));
        }
    }

    private static void meet(CyclicBarrier barrier) {
        try {
            barrier.await(30, TimeUnit.SECONDS);
        } catch (InterruptedException | BrokenBarrierException | TimeoutException e) {
            throw new AssertionError("the other side did not come", e);
        }
    }

    private static long deadlocks() {
        return TestSql.count("select deadlocks from pg_stat_database where datname = current_database()");
    }
}
