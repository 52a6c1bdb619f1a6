package io.rollcall.sweep;

import static io.rollcall.testing.TestApi.claim;
import static io.rollcall.testing.TestApi.direct;
import static io.rollcall.testing.TestApi.queued;
import static io.rollcall.testing.TestApi.sweep;
import static io.rollcall.testing.TestApi.time;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quarkus.test.junit.QuarkusTest;
import io.restassured.path.json.JsonPath;
import io.rollcall.testing.TestApi;
import io.rollcall.testing.TestDelegation;
import io.rollcall.testing.TestSql;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Rule 5 on the whole way: how long one attempt may last. */
@QuarkusTest
class MaxRunningTest {
    @Test
    void anAttemptThatLastsTooLongFailsAlthoughItBeats() {
        // given an attempt of an hour at most, begun and beating
        TestDelegation work = direct().with("maxRunning", "PT1H").register().begun();
        acquired(work, Duration.ofMinutes(59));
        sweep();
        assertEquals("in_progress", work.status());

        // when the hour is over
        acquired(work, Duration.ofMinutes(61));
        work.beat().then().statusCode(200);
        sweep();

        // then it failed for that reason, by that rule
        JsonPath read = work.read();
        assertEquals("failed", read.getString("status"));
        assertEquals("max_running_exceeded", read.getString("reason"));
        assertEquals("max_running_exceeded", read.getString("cause"));
        Map<String, Object> end = work.events("transition").get(1);
        assertEquals("max-running", end.get("rule"));
        assertTrue(end.get("data").toString().contains("maxRunning=PT1H"), () -> "" + end);
    }

    @Test
    void aClaimStartsTheTimeAndEachAttemptHasItsOwn() {
        // given one that waited in its queue for longer than an attempt may last
        String queue = TestApi.unique("queue");
        TestApi.json()
                .body(Map.of("backoffBase", "PT1M"))
                .put("/v1/queues/{queue}", queue)
                .then()
                .statusCode(200);
        TestDelegation work =
                queued().with("queue", queue).with("maxRunning", "PT1H").register();
        TestSql.age(work.id(), Duration.ofHours(2));

        // when it is claimed, and its agent takes too long
        claim(queue, "slow");
        sweep();
        assertEquals("dispatched", work.status(), "its time began with the claim");
        assertEquals(Duration.ofHours(1), Duration.between(acquiredAt(work), dueAt(work)));
        acquired(work, Duration.ofHours(1));
        sweep();

        // then it waits for its backoff, at the cost of the common budget, and the next attempt has an hour again
        JsonPath read = work.read();
        assertEquals("queued", read.getString("status"));
        assertEquals("max_running_exceeded", read.getString("cause"));
        assertEquals(1, read.getInt("requeueCount"));
        Duration pause = Duration.between(time(read, "updatedAt"), time(read, "availableAt"));
        assertFalse(pause.compareTo(Duration.ofMinutes(1)) < 0, () -> "backs off: " + pause);
        work.beat("epoch", 1).then().statusCode(409);
        assertEquals(time(read, "deadlineAt"), dueAt(work), "while it waits no attempt can last too long");
        TestSql.execute("update delegation set available_at = now() where id = ?", work.id());
        JsonPath again = claim(queue, "quick");
        assertEquals("max_running_exceeded", again.getString("items[0].previous.cause"));
        sweep();
        assertEquals("dispatched", work.status());
        assertEquals(Duration.ofHours(1), Duration.between(acquiredAt(work), dueAt(work)));
    }

    @Test
    void theBudgetIsSharedAndThenItIsADeadLetter() {
        TestDelegation work =
                queued().with("maxRunning", "PT1H").with("maxRequeues", 0).register();
        claim(work.read().getString("queue"), "slow");

        acquired(work, Duration.ofHours(1));
        sweep();

        assertEquals("retries_exhausted", work.read().getString("reason"));
        assertEquals("max_running_exceeded", work.read().getString("cause"));
    }

    @Test
    void whatMustNotBeDoneTwiceIsNotDoneAgain() {
        TestDelegation work = queued().with("maxRunning", "PT1H").register();
        claim(work.read().getString("queue"), "slow");
        work.beat("epoch", 1, "effect", "non_idempotent").then().statusCode(200);

        acquired(work, Duration.ofHours(1));
        sweep();

        assertEquals("not_retryable", work.read().getString("reason"));
    }

    @Test
    void anEditOfTheDeadlineLeavesTheLimitOfTheAttempt() {
        // given a deadline after the end of the attempt
        TestDelegation work = direct().with("maxRunning", "PT1H")
                .with("deadlineIn", "PT2H")
                .register()
                .begun();
        Instant runEnds = acquiredAt(work).plus(Duration.ofHours(1));
        assertEquals(runEnds, dueAt(work));

        // when it moves on, the attempt still ends first; when it moves before that, it comes first
        Instant deadline = time(work.read(), "deadlineAt");
        work.edit("deadlineAt", deadline.plus(Duration.ofHours(1)).toString())
                .then()
                .statusCode(200);
        assertEquals(runEnds, dueAt(work));
        work.edit("deadlineAt", runEnds.minusSeconds(60).toString()).then().statusCode(200);
        assertEquals(runEnds.minusSeconds(60), dueAt(work));
    }

    @Test
    void aDryRunOnlyCounts() {
        List<TestDelegation> works = Stream.generate(
                        () -> queued().with("maxRunning", "PT1H").register())
                .limit(3)
                .toList();
        for (TestDelegation work : works) {
            claim(work.read().getString("queue"), "slow");
            acquired(work, Duration.ofHours(1));
        }

        int requeued = sweep("dryRun", true).getInt("verdicts.requeued");

        assertTrue(requeued >= 3, () -> "" + requeued);
        works.forEach(work -> assertEquals("dispatched", work.status()));
        sweep();
        works.forEach(work -> assertEquals("queued", work.status()));
    }

    @Test
    void oneThatIsStuckIsLeftToItsDeadline() {
        TestDelegation work =
                direct().with("maxRunning", "PT1H").register().begun().stuck();

        assertEquals(time(work.read(), "deadlineAt"), dueAt(work));
    }

    private static void acquired(TestDelegation work, Duration ago) {
        UUID id = work.id();
        TestSql.execute(
                "update lease set acquired_at = now() - cast(? as interval) where delegation_id = ?", "" + ago, id);
        TestSql.execute(
                "update delegation set acquired_at = now() - cast(? as interval),"
                        + " due_at = now() - cast(? as interval) + max_running_us * interval '1 microsecond' where id = ?",
                "" + ago,
                "" + ago,
                id);
    }

    private static Instant acquiredAt(TestDelegation work) {
        return TestSql.value(Instant.class, "select acquired_at from delegation where id = ?", work.id());
    }

    private static Instant dueAt(TestDelegation work) {
        return TestSql.value(Instant.class, "select due_at from delegation where id = ?", work.id());
    }
}
