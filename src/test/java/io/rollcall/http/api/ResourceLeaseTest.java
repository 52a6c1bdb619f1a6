package io.rollcall.http.api;

import static io.restassured.RestAssured.given;
import static io.rollcall.testing.TestApi.body;
import static io.rollcall.testing.TestApi.expectProblem;
import static io.rollcall.testing.TestApi.time;
import static org.hamcrest.Matchers.endsWith;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quarkus.test.junit.QuarkusTest;
import io.restassured.path.json.JsonPath;
import io.restassured.response.Response;
import io.rollcall.testing.TestApi;
import io.rollcall.testing.TestDelegation;
import io.rollcall.testing.TestLease;
import io.rollcall.testing.TestSql;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Named locks, as their holders and operators meet them. */
@QuarkusTest
class ResourceLeaseTest {
    @BeforeEach
    void timeGoesOn() {
        TestLease.timeGoesOn();
    }

    @AfterEach
    void leaveNothing() {
        TestSql.execute("delete from resource_lease");
    }

    @Test
    void isAcquiredForItsTime() {
        TestLease lock = TestLease.unique();

        Response answer = lock.ask("a");

        answer.then()
                .statusCode(201)
                .header("Location", endsWith("/v1/leases/" + lock.name()))
                .body("name", equalTo(lock.name()))
                .body("holder", equalTo("a"))
                .body("ttl", equalTo("PT10M"))
                .body("delegationId", nullValue());
        JsonPath lease = answer.jsonPath();
        assertTrue(lease.getLong("epoch") > 0);
        assertEquals(time(lease, "acquiredAt").plus(Duration.ofMinutes(10)), time(lease, "expiresAt"));
        assertEquals(lease.getMap(""), lock.get().jsonPath().getMap(""));
    }

    @Test
    void isNotAcquiredWhileItIsHeldNotEvenByTheSameName() {
        TestLease lock = TestLease.unique();
        long epoch = lock.acquire("a", "requestId", "first");
        String expiresAt = lock.get().path("expiresAt");

        for (Response refused : List.of(
                lock.ask("b"),
                lock.ask("a"),
                lock.ask("a", "requestId", "second"),
                lock.ask("b", "requestId", "first"))) {
            expectProblem(refused, 409, "lease-held")
                    .body("holder", equalTo("a"))
                    .body("expiresAt", equalTo(expiresAt))
                    .body("epoch", equalTo((int) epoch));
        }
    }

    @Test
    void theSameRequestOfTheSameHolderGetsItsLeaseAgain() {
        TestLease lock = TestLease.unique();
        Response first = lock.ask("a", "requestId", "once");
        first.then().statusCode(201);

        Response again = lock.ask("a", "requestId", "once");

        again.then().statusCode(200);
        assertEquals(first.jsonPath().getMap(""), again.jsonPath().getMap(""));
    }

    @Test
    void theSameRequestAcquiresAnewOnceTheLeaseIsFree() {
        TestLease lock = TestLease.unique();
        long first = lock.acquire("a", "requestId", "once");
        lock.release(first).then().statusCode(204);
        long second = lock.acquire("a", "requestId", "once");
        lock.expired();

        assertTrue(second > first);
        assertTrue(lock.acquire("a", "requestId", "once") > second);
    }

    @Test
    void aRenewalCountsFromNowAndKeepsTheEpoch() {
        TestLease lock = TestLease.unique();
        long epoch = lock.acquire("a");
        TestSql.execute(
                "update resource_lease set expires_at = now() + interval '1 minute',"
                        + " renewed_at = now() - interval '9 minutes', acquired_at = now() - interval '9 minutes'"
                        + " where name = ?",
                lock.name());

        JsonPath renewed = lock.ask("a", "epoch", epoch, "ttl", "PT20M")
                .then()
                .statusCode(200)
                .extract()
                .jsonPath();

        assertEquals(epoch, renewed.getLong("epoch"));
        assertEquals("PT20M", renewed.getString("ttl"));
        assertEquals(time(renewed, "renewedAt").plus(Duration.ofMinutes(20)), time(renewed, "expiresAt"));
        assertTrue(
                time(renewed, "renewedAt").isAfter(time(renewed, "acquiredAt").plus(Duration.ofMinutes(8))));
        // and again, with the same answer but for the time
        assertEquals(
                epoch,
                lock.renew("a", epoch)
                        .then()
                        .statusCode(200)
                        .extract()
                        .jsonPath()
                        .getLong("epoch"));
    }

    @Test
    void aRenewalUnderAnotherEpochIsLost() {
        TestLease lock = TestLease.unique();
        expectProblem(lock.renew("a", 1), 409, "lease-lost").body("epoch", nullValue());
        long epoch = lock.acquire("a");

        expectProblem(lock.renew("a", epoch + 1), 409, "lease-lost").body("epoch", equalTo((int) epoch));
        expectProblem(lock.renew("b", epoch), 409, "lease-lost").body("holder", equalTo("a"));
        lock.release(epoch);
        expectProblem(lock.renew("a", epoch), 409, "lease-lost");
        lock.acquire("b");
        expectProblem(lock.renew("a", epoch), 409, "lease-lost").body("holder", equalTo("b"));
    }

    @Test
    void isFreeWhenItsTimeIsOverWithoutAnySweep() {
        TestLease lock = TestLease.unique();
        long first = lock.acquire("a");
        lock.expired();

        expectProblem(lock.get(), 404, "not-found");
        expectProblem(lock.renew("a", first), 409, "lease-lost");
        assertTrue(lock.acquire("b") > first);
        lock.get().then().statusCode(200).body("holder", equalTo("b"));
    }

    @Test
    void aHolderTakenForDeadNeverHoldsBesideItsSuccessor() {
        // given a holder that hangs, and one that took over
        TestLease lock = TestLease.unique();
        long old = lock.acquire("a", "requestId", "once");
        lock.expired();
        long present = lock.acquire("b");

        // when it wakes up, then whatever it tries, it hears that it has lost it
        expectProblem(lock.renew("a", old), 409, "lease-lost");
        expectProblem(lock.release(old), 409, "lease-lost");
        expectProblem(lock.ask("a", "requestId", "once"), 409, "lease-held").body("holder", equalTo("b"));

        // and its successor noticed nothing
        assertEquals(present, lock.renew("b", present).jsonPath().getLong("epoch"));
    }

    @Test
    void epochsNeverFallNotEvenAfterARelease() {
        TestLease lock = TestLease.unique();
        TestLease other = TestLease.unique();
        long last = 0;
        for (int i = 0; i < 5; i++) {
            long epoch = lock.acquire("a");
            assertTrue(epoch > last, epoch + " after " + last);
            long others = other.acquire("a");
            assertTrue(others > epoch, "one sequence for all names");
            lock.release(epoch).then().statusCode(204);
            other.release(others).then().statusCode(204);
            last = others;
        }
    }

    @Test
    void aReleaseMayBeRepeated() {
        TestLease lock = TestLease.unique();
        lock.release(7).then().statusCode(204);
        long epoch = lock.acquire("a");

        lock.release(epoch).then().statusCode(204);
        lock.release(epoch).then().statusCode(204);

        assertFalse(lock.hasRow());
        expectProblem(lock.get(), 404, "not-found");
    }

    @Test
    void aReleaseUnderAnotherEpochChangesNothing() {
        TestLease lock = TestLease.unique();
        long epoch = lock.acquire("a");

        expectProblem(lock.release(epoch + 1), 409, "lease-lost").body("epoch", equalTo((int) epoch));

        lock.renew("a", epoch).then().statusCode(200);
        lock.expired();
        lock.release(epoch + 1).then().statusCode(204);
    }

    @Test
    void aReleaseSaysUnderWhichEpochOrThatItIsForced() {
        TestLease lock = TestLease.unique();
        lock.acquire("a");

        expectProblem(given().delete("/v1/leases/" + lock.name()), 400, "invalid-request")
                .body("violations.field", hasItem("epoch"));
        expectProblem(given().queryParam("force", false).delete("/v1/leases/" + lock.name()), 400, "invalid-request");

        lock.get().then().statusCode(200);
    }

    @Test
    void operatorsMayForceARelease() {
        TestLease lock = TestLease.unique();
        long epoch = lock.acquire("a");

        expectProblem(
                given().queryParam("force", true).queryParam("epoch", epoch + 1).delete("/v1/leases/" + lock.name()),
                409,
                "lease-lost");
        lock.force().then().statusCode(204);
        lock.force().then().statusCode(204);

        expectProblem(lock.renew("a", epoch), 409, "lease-lost");
        assertTrue(lock.acquire("b") > epoch);
    }

    @Test
    void aForcedReleaseStandsInTheHistoryOfWhatItWasTiedTo() {
        TestDelegation work = TestApi.direct().register().begun();
        TestLease lock = TestLease.unique();
        long epoch = lock.acquire("a", "delegationId", work.id());

        lock.force().then().statusCode(204);
        lock.force().then().statusCode(204);

        List<Map<String, Object>> audited = TestLease.audited(work.id());
        assertEquals(1, audited.size());
        assertEquals("operator", audited.get(0).get("actor"));
        assertEquals(1, audited.get(0).get("epoch"));
        assertEquals(
                Map.of("releasedLease", lock.name(), "leaseHolder", "a", "leaseEpoch", (int) epoch),
                audited.get(0).get("data"));
        assertEquals("in_progress", work.status());
    }

    @Test
    void aForcedReleaseOfWhatIsFreeIsNotAudited() {
        TestDelegation work = TestApi.direct().register().begun();
        TestLease lock = TestLease.unique();
        lock.acquire("a", "delegationId", work.id());
        lock.expired();

        lock.force().then().statusCode(204);

        assertEquals(List.of(), TestLease.audited(work.id()));
    }

    @Test
    void isTiedToTheAttemptThatItNamesOrElseToThePresentOne() {
        TestDelegation work = TestApi.direct().register().begun();

        TestLease present = TestLease.unique();
        present.ask("a", "delegationId", work.id())
                .then()
                .statusCode(201)
                .body("delegationId", equalTo(work.id().toString()))
                .body("delegationEpoch", equalTo(1));
        TestLease.unique().acquire("a", "delegationId", work.id(), "delegationEpoch", 1);
        expectProblem(TestLease.unique().ask("a", "delegationId", work.id(), "delegationEpoch", 2), 409, "lease-lost")
                .body("delegationStatus", equalTo("in_progress"))
                .body("epoch", equalTo(1));
        expectProblem(TestLease.unique().ask("a", "delegationId", UUID.randomUUID()), 404, "not-found");
    }

    @Test
    void isFreeAtOnceWhenItsAttemptEnds() {
        TestDelegation work = TestApi.direct().register().begun();
        TestLease lock = TestLease.unique();
        long epoch = lock.acquire("a", "delegationId", work.id());

        work.report("completed", "epoch", 1).then().statusCode(200);

        expectProblem(lock.get(), 404, "not-found");
        expectProblem(lock.renew("a", epoch), 409, "lease-lost");
        lock.acquire("b");
        expectProblem(TestLease.unique().ask("a", "delegationId", work.id()), 409, "lease-lost")
                .body("delegationStatus", equalTo("completed"));
    }

    @Test
    void isFreeWhenTheAttemptIsGivenBackAlthoughTheNextOneRuns() {
        String queue = TestApi.unique("queue");
        TestDelegation work = TestApi.queued().with("queue", queue).register();
        TestApi.claim(queue, "agent");
        TestLease lock = TestLease.unique();
        lock.acquire("a", "delegationId", work.id(), "delegationEpoch", 1);

        work.report("queued", "epoch", 1).then().statusCode(200);
        TestApi.claim(queue, "agent");

        lock.ask("b", "delegationId", work.id()).then().statusCode(201).body("delegationEpoch", equalTo(2));
    }

    @Test
    void isKeptWhileItsDelegationIsStuck() {
        TestDelegation work = TestApi.direct().register().begun();
        TestLease lock = TestLease.unique();
        long epoch = lock.acquire("a", "delegationId", work.id());

        work.stuck();

        lock.renew("a", epoch).then().statusCode(200);
    }

    @Test
    void aRenewalDoesNotTieItAnew() {
        TestDelegation work = TestApi.direct().register().begun();
        TestLease lock = TestLease.unique();
        long epoch = lock.acquire("a", "delegationId", work.id());

        lock.ask("a", "epoch", epoch, "delegationId", work.id()).then().statusCode(200);
        lock.ask("a", "epoch", epoch, "delegationId", work.id(), "delegationEpoch", 1)
                .then()
                .statusCode(200);
        expectProblem(lock.ask("a", "epoch", epoch, "delegationId", UUID.randomUUID()), 400, "invalid-request")
                .body("violations.field", hasItem("delegationId"));
    }

    @Test
    void keepsTheProbeOfARenewalOrElseTheOneBefore() {
        TestLease lock = TestLease.unique();
        long epoch = lock.acquire("a", "probe", process(1));
        lock.renew("a", epoch).then().statusCode(200);
        assertEquals("1", probe(lock, "pid"));

        lock.ask("a", "epoch", epoch, "probe", process(2));
        assertEquals("2", probe(lock, "pid"));
        long next = lock.expired().acquire("b");
        assertEquals(null, probe(lock, "pid"));
        assertTrue(next > epoch);
    }

    @Test
    void areListedByNameInPages() {
        String prefix = TestApi.unique("page");
        for (int i = 0; i < 5; i++) {
            new TestLease(prefix + "-" + i).acquire("a");
        }
        new TestLease(prefix + "-2").expired();

        List<String> names = new ArrayList<>();
        String cursor = prefix;
        while (cursor != null) {
            JsonPath page = TestApi.get("/v1/leases", "limit", 2, "cursor", cursor)
                    .then()
                    .statusCode(200)
                    .extract()
                    .jsonPath();
            assertTrue(page.getList("items").size() <= 2);
            names.addAll(page.getList("items.name"));
            cursor = page.getString("nextCursor");
        }

        assertEquals(List.of(prefix + "-0", prefix + "-1", prefix + "-3", prefix + "-4"), names);
        TestApi.get("/v1/leases").then().statusCode(200).body("items.name", hasItem(prefix + "-0"));
        expectProblem(TestApi.get("/v1/leases", "limit", 501), 400, "invalid-request");
        expectProblem(TestApi.get("/v1/leases", "holder", "a"), 400, "invalid-request");
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT0.9S", "P31D", "PT0S", "-PT5S", "5m"})
    void refusesTimesThatAreOutOfRange(String ttl) {
        expectProblem(TestLease.unique().ask("a", "ttl", ttl), 400, "invalid-request")
                .body("violations.field", hasItem("ttl"));
    }

    @Test
    void acceptsTimesAtTheLimits() {
        TestLease.unique().acquire("a", "ttl", "PT1S");
        TestLease.unique().acquire("a", "ttl", "P30D");
    }

    @Test
    void refusesWhatIsNoRequest() {
        TestLease lock = TestLease.unique();
        expectProblem(lock.put(body("holder", "a")), 400, "invalid-request").body("violations.field", hasItem("ttl"));
        expectProblem(lock.put(body("ttl", "PT1M")), 400, "invalid-request")
                .body("violations.field", hasItem("holder"));
        expectProblem(lock.ask("a b"), 400, "invalid-request");
        expectProblem(lock.ask("a", "epoch", 0), 400, "invalid-request");
        expectProblem(lock.ask("a", "delegationEpoch", 1), 400, "invalid-request");
        expectProblem(lock.ask("a", "probe", "ps"), 400, "invalid-request").body("violations.field", hasItem("probe"));
        expectProblem(lock.ask("a", "colour", "red"), 400, "invalid-request");
        expectProblem(new TestLease("a b").ask("a"), 400, "invalid-request");
        expectProblem(new TestLease("x".repeat(129)).ask("a"), 400, "invalid-request");
        new TestLease("x".repeat(128)).acquire("a");
        assertFalse(lock.hasRow());
    }

    private static String probe(TestLease lock, String field) {
        return TestSql.value(String.class, "select probe ->> ? from resource_lease where name = ?", field, lock.name());
    }

    private static Map<String, Object> process(int pid) {
        return Map.of("kind", "process", "bootId", "b", "pidNamespace", "p", "pid", pid, "startTicks", 9);
    }
}
