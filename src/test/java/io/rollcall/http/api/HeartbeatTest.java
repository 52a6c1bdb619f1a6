package io.rollcall.http.api;

import static io.rollcall.testing.TestApi.body;
import static io.rollcall.testing.TestApi.delegation;
import static io.rollcall.testing.TestApi.direct;
import static io.rollcall.testing.TestApi.expectProblem;
import static io.rollcall.testing.TestApi.queued;
import static io.rollcall.testing.TestApi.time;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.notNullValue;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.quarkus.test.junit.QuarkusTest;
import io.restassured.path.json.JsonPath;
import io.restassured.response.Response;
import io.rollcall.testing.TestDelegation;
import io.rollcall.testing.TestParallel;
import io.rollcall.testing.TestSql;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Beats: what they renew, what they answer, and when they are told that the lease is lost. */
@QuarkusTest
class HeartbeatTest {
    @Test
    void theFirstTurnsDispatchedIntoInProgressAndEndsTheFreePass() {
        // given
        TestDelegation work = direct().register();
        assertNull(work.read().get("lease.staleAt"));

        // when
        Response answer = work.beat();

        // then
        answer.then()
                .statusCode(200)
                .body("status", equalTo("in_progress"))
                .body("epoch", equalTo(1))
                .body("heartbeatEvery", equalTo("PT3M20S"))
                .body("directive", equalTo("continue"));
        JsonPath beat = answer.jsonPath();
        assertEquals(time(beat, "now").plus(Duration.ofMinutes(10)), time(beat, "staleAt"));
        JsonPath now = work.read();
        assertEquals("in_progress", now.getString("status"));
        assertEquals(time(beat, "staleAt"), time(now, "lease.staleAt"));
        assertEquals(time(beat, "now"), time(now, "lease.lastHeartbeatAt"));
        assertEquals(time(beat, "now"), time(now, "startedAt"));
    }

    @Test
    void laterOnesRenewTheLeaseAndLeaveTheDelegationAlone() {
        // given one that was to go stale in a minute
        TestDelegation work = direct().register().begun();
        TestSql.execute(
                "update lease set stale_at = now() + interval '1 minute', last_beat_at = now() - interval '9 minutes'"
                        + " where delegation_id = ?",
                work.id());
        JsonPath before = work.read();

        // when
        JsonPath beat =
                work.beat("epoch", 1, "progress", 0.5, "note", "half way").jsonPath();

        // then
        JsonPath after = work.read();
        assertEquals(time(beat, "now").plus(Duration.ofMinutes(10)), time(beat, "staleAt"));
        assertEquals(time(beat, "staleAt"), time(after, "lease.staleAt"));
        assertEquals(0.5, after.getDouble("lease.progress"));
        assertEquals("half way", after.getString("lease.note"));
        for (String untouched : List.of("version", "updatedAt", "startedAt", "status")) {
            assertEquals(before.getString(untouched), after.getString(untouched), untouched);
        }
        assertEquals(2, work.events().size());
    }

    @Test
    void whatABeatDoesNotSayStaysAsItWas() {
        TestDelegation work = direct().register();
        work.beat("progress", 0.25, "note", "a quarter", "effect", "non_idempotent", "leaseTime", "PT1M");

        work.beat().then().statusCode(200).body("heartbeatEvery", equalTo("PT20S"));

        JsonPath lease = work.read();
        assertEquals(0.25, lease.getDouble("lease.progress"));
        assertEquals("a quarter", lease.getString("lease.note"));
        assertEquals("non_idempotent", lease.getString("lease.effect"));
        assertEquals("PT1M", lease.getString("lease.leaseTime"));
    }

    @Test
    void aNewLeaseTimeLasts() {
        TestDelegation work = direct().with("heartbeatTimeout", "PT2M").register();
        assertEquals("PT2M", work.read().getString("lease.leaseTime"));

        work.beat("leaseTime", "PT30S").then().statusCode(200).body("heartbeatEvery", equalTo("PT10S"));
        JsonPath next = work.beat().then().statusCode(200).extract().jsonPath();

        assertEquals("PT10S", next.getString("heartbeatEvery"));
        assertEquals(time(next, "now").plusSeconds(30), time(next, "staleAt"));
        assertEquals("PT2M", work.read().getString("heartbeatTimeout"));
    }

    @Test
    void anEffectIsTakenBackWhenItIsOver() {
        TestDelegation work = direct().register();

        work.beat("effect", "non_idempotent");
        assertEquals("non_idempotent", work.read().getString("lease.effect"));
        work.beat("effect", "none");
        assertEquals("none", work.read().getString("lease.effect"));
    }

    @Test
    void theEpochMayBeLeftOutOnlyWhereNoOtherAttemptCanBe() {
        TestDelegation sole = direct().register();
        TestDelegation oneOfMany = direct().with("recovery", "requeue").register();

        sole.beat().then().statusCode(200);
        expectProblem(oneOfMany.beat(), 400, "epoch-required");
        oneOfMany.beat("epoch", 1).then().statusCode(200);
        expectProblem(oneOfMany.beat(), 400, "epoch-required");
    }

    @Test
    void underAnotherEpochTheLeaseIsLost() {
        TestDelegation work = direct().register();

        expectProblem(work.beat("epoch", 2), 409, "lease-lost")
                .body("delegationStatus", equalTo("dispatched"))
                .body("epoch", equalTo(1));
        work.beat("epoch", 1).then().statusCode(200);
        expectProblem(work.beat("epoch", 2), 409, "lease-lost").body("delegationStatus", equalTo("in_progress"));
        assertEquals("in_progress", work.status());
    }

    @Test
    void aRequeuedOneIsNobodysAnyMore() {
        TestDelegation work = direct().with("recovery", "requeue").register();
        work.beat("epoch", 1);
        work.report("failed", "epoch", 1, "error", body("class", "timeout"))
                .then()
                .statusCode(200);

        expectProblem(work.beat("epoch", 1), 409, "lease-lost").body("delegationStatus", equalTo("queued"));
        expectProblem(work.beat(), 400, "epoch-required");
    }

    @Test
    void oneThatWasNeverClaimedHasNoLease() {
        expectProblem(queued().register().beat("epoch", 1), 409, "lease-lost")
                .body("delegationStatus", equalTo("queued"));
    }

    @Test
    void aFinalOneAnswersThatTheLeaseIsLostAndHow() {
        for (String end : List.of("completed", "failed", "cancelled")) {
            TestDelegation work = direct().register().begun().closed(end);
            int events = work.events().size();

            expectProblem(work.beat("epoch", 1), 409, "lease-lost").body("delegationStatus", equalTo(end));
            expectProblem(work.beat(), 409, "lease-lost").body("delegationStatus", equalTo(end));

            assertEquals(events, work.events().size());
        }
    }

    @Test
    void whatIsUnknownIsNotFound() {
        expectProblem(delegation(UUID.randomUUID()).beat("epoch", 1), 404, "not-found");
        expectProblem(delegation(UUID.randomUUID()).beat(), 404, "not-found");
    }

    @Test
    void aStuckOneThatBeatsAgainIsAnsweredButStaysStuck() {
        // given
        TestDelegation work = direct().register().begun().stuck();
        int events = work.events().size();

        // when
        JsonPath beat = work.beat("epoch", 1, "note", "still here")
                .then()
                .statusCode(200)
                .extract()
                .jsonPath();

        // then
        assertEquals("stuck", beat.getString("status"));
        assertEquals("continue", beat.getString("directive"));
        assertEquals("stuck", work.status());
        assertEquals("still here", work.read().getString("lease.note"));
        assertEquals(time(beat, "staleAt"), time(work.read(), "lease.staleAt"));
        assertEquals(events, work.events().size());
    }

    @Test
    void aLeaseThatWasFoundOverdueButNotYetSweptIsRenewed() {
        TestDelegation work = direct().register().begun();
        TestSql.silence(work.id());

        Instant staleAt = time(work.beat().then().statusCode(200).extract().jsonPath(), "staleAt");

        assertFalse(staleAt.isBefore(Instant.now().plus(Duration.ofMinutes(5))));
    }

    @ParameterizedTest(name = "{0} = {1}")
    @MethodSource("nonsense")
    void refusesWhatIsNoBeat(String field, Object value) {
        TestDelegation work = direct().register();

        expectProblem(work.beat(field, value), 400, "invalid-request").body("violations.field", hasItem(field));

        assertEquals("dispatched", work.status());
    }

    static Stream<Arguments> nonsense() {
        return Stream.of(
                Arguments.of("progress", 1.000001),
                Arguments.of("progress", -0.1),
                Arguments.of("progress", "half"),
                Arguments.of("note", "n".repeat(201)),
                Arguments.of("effect", "idempotent"),
                Arguments.of("leaseTime", "PT0.5S"),
                Arguments.of("leaseTime", "P31D"),
                Arguments.of("leaseTime", 60),
                Arguments.of("epoch", 0),
                Arguments.of("epoch", -1),
                Arguments.of("epoch", "1"),
                Arguments.of("epoch", 1.5),
                Arguments.of("colour", "red"));
    }

    @Test
    void takesABeatAtItsLimits() {
        TestDelegation work = direct().register();

        work.beat("progress", 1, "note", "n".repeat(200), "leaseTime", "P30D")
                .then()
                .statusCode(200);
        work.beat("progress", 0, "note", "", "leaseTime", "PT1S").then().statusCode(200);
    }

    @Test
    void manyFirstBeatsAtOnceBeginItOnce() throws Exception {
        // given two that have both read that it is dispatched
        TestDelegation work = direct().register();
        Future<Response> one;
        Future<Response> other;
        try (TestSql.Held held = TestSql.holdDelegation(work.id())) {
            one = TestParallel.begin(work::beat);
            other = TestParallel.begin(work::beat);
            held.awaitBlocked(2);
        }

        // then both are answered, and it began once
        one.get().then().statusCode(200).body("status", equalTo("in_progress"));
        other.get().then().statusCode(200).body("status", equalTo("in_progress"));
        assertEquals(1, work.events("transition").size());
    }

    @Test
    void aBeatThatWaitedForACompletionHearsThatTheLeaseIsLost() throws Exception {
        // given a completion that has its row and waits for the lease, and a beat behind it
        TestDelegation work = direct().register().begun();
        Future<Response> completion;
        Future<Response> beat;
        try (TestSql.Held held = TestSql.holdLease(work.id())) {
            completion = TestParallel.begin(() -> work.report("completed"));
            held.awaitBlocked(1);
            beat = TestParallel.begin(work::beat);
            held.awaitBlocked(2);
        }

        // then
        completion.get().then().statusCode(200).body("status", equalTo("completed"));
        expectProblem(beat.get(), 409, "lease-lost").body("delegationStatus", equalTo("completed"));
        work.get().then().body("lease", nullValue()).body("finishedAt", notNullValue());
    }

    @Test
    void aFirstBeatThatLosesToACloseHearsThatTheLeaseIsLost() throws Exception {
        // given a first beat that has read the delegation as dispatched
        TestDelegation work = direct().register();
        Future<Response> beat;
        try (TestSql.Held close = TestSql.holdDelegation(work.id())) {
            beat = TestParallel.begin(work::beat);
            close.awaitBlocked(1);

            // when another transaction ends it first
            close.execute("delete from lease where delegation_id = ?", work.id());
            close.execute("""
                    update delegation set status = 'cancelled', reason = 'cancelled', finished_at = now(), due_at = null,
                        updated_at = now(), version = version + 1
                    where id = ?
                    """, work.id());
            close.commit();
        }

        // then
        expectProblem(beat.get(), 409, "lease-lost").body("delegationStatus", equalTo("cancelled"));
        assertEquals("cancelled", work.status());
    }
}
