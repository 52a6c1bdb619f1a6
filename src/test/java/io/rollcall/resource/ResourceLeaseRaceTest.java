package io.rollcall.resource;

import static io.rollcall.testing.TestApi.expectProblem;
import static org.hamcrest.Matchers.equalTo;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quarkus.narayana.jta.QuarkusTransaction;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import io.rollcall.testing.TestApi;
import io.rollcall.testing.TestDelegation;
import io.rollcall.testing.TestLease;
import io.rollcall.testing.TestParallel;
import io.rollcall.testing.TestSql;
import jakarta.inject.Inject;
import jakarta.persistence.EntityManager;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Whoever meets over one name: two real transactions each, and never two holders. */
@QuarkusTest
class ResourceLeaseRaceTest {
    private static final String RENEW = "update resource_lease set renewed_at = now(),"
            + " expires_at = now() + ttl_us * interval '1 microsecond' where name = ?";

    @Inject
    ResourceReclaims reclaims;

    @Inject
    ResourceLeaseRepository leases;

    @Inject
    EntityManager entities;

    private final TestLease lock = TestLease.unique();

    @BeforeEach
    void timeGoesOn() {
        TestLease.timeGoesOn();
    }

    @AfterEach
    void leaveNothing() {
        TestSql.execute("delete from resource_lease");
    }

    @Test
    void ofTwoWhoAcquireAtOneMomentOneGetsIt() throws Exception {
        Future<Response> one;
        Future<Response> other;
        try (TestSql.Held name = lock.holdName()) {
            one = TestParallel.begin(() -> lock.ask("a"));
            other = TestParallel.begin(() -> lock.ask("b"));
            name.awaitBlocked(2);
        }

        assertEquals(List.of(201, 409), codes(one, other));
    }

    @Test
    void ofTwoWhoAcquireWhatHasExpiredOneGetsIt() throws Exception {
        long old = lock.acquire("old");
        lock.expired();
        Future<Response> one;
        Future<Response> other;
        try (TestSql.Held row = lock.holdRow()) {
            one = TestParallel.begin(() -> lock.ask("a"));
            row.awaitBlocked(1);
            other = TestParallel.begin(() -> lock.ask("b"));
            row.awaitBlocked(2);
        }

        assertEquals(List.of(201, 409), codes(one, other));
        assertTrue(lock.get().jsonPath().getLong("epoch") > old);
    }

    @Test
    void theSameRequestTwiceAtOneMomentIsOneAcquisition() throws Exception {
        Future<Response> one;
        Future<Response> other;
        try (TestSql.Held name = lock.holdName()) {
            one = TestParallel.begin(() -> lock.ask("a", "requestId", "once"));
            other = TestParallel.begin(() -> lock.ask("a", "requestId", "once"));
            name.awaitBlocked(2);
        }

        assertEquals(List.of(200, 201), codes(one, other));
        assertEquals(
                one.get().jsonPath().getLong("epoch"), other.get().jsonPath().getLong("epoch"));
    }

    @Test
    void anEpochIsDrawnOnlyOnceNobodyElseCanAcquireTheName() throws Exception {
        // given one that waits for the name while others had it
        Future<Response> later;
        long drawnMeanwhile;
        try (TestSql.Held name = lock.holdName()) {
            later = TestParallel.begin(() -> lock.ask("a"));
            name.awaitBlocked(1);
            drawnMeanwhile = TestSql.count("select nextval('resource_lease_epoch')");
        }

        // then its epoch is higher than theirs
        assertTrue(answer(later).jsonPath().getLong("epoch") > drawnMeanwhile);
    }

    @Test
    void manyWhoTakeTurnsNeverHoldItTogetherAndTheirEpochsRise() {
        List<Long> epochs = Collections.synchronizedList(new ArrayList<>());
        AtomicInteger holders = new AtomicInteger();
        AtomicInteger together = new AtomicInteger();

        TestParallel.times(6, number -> {
            for (int turns = 0; turns < 5; ) {
                Response answer = lock.ask("agent-" + number);
                if (answer.statusCode() == 201) {
                    if (holders.incrementAndGet() > 1) {
                        together.incrementAndGet();
                    }
                    long epoch = answer.jsonPath().getLong("epoch");
                    epochs.add(epoch);
                    holders.decrementAndGet();
                    lock.release(epoch).then().statusCode(204);
                    turns++;
                } else {
                    expectProblem(answer, 409, "lease-held");
                }
            }
            return null;
        });

        assertEquals(0, together.get());
        assertEquals(30, epochs.size());
        assertEquals(epochs.stream().sorted().distinct().toList(), epochs);
    }

    @Test
    void aRenewalThatIsBeingCommittedIsNotReclaimed() {
        // given one whose time was over, had its holder not renewed it at the last moment
        long epoch = lock.acquire("a");
        lock.expired();
        List<String> found = reclaims.findFree("", 100);
        assertTrue(found.contains(lock.name()));
        try (TestSql.Held renewal = new TestSql.Held(RENEW, lock.name())) {
            // when it is reclaimed meanwhile, nobody waits
            assertEquals(0, reclaims.reclaim(found));
            renewal.commit();
        }

        // then it is held, and no candidate any more
        lock.renew("a", epoch).then().statusCode(200);
        assertEquals(0, reclaims.reclaim(found));
        assertFalse(reclaims.findFree("", 100).contains(lock.name()));
    }

    @Test
    void aRenewalBetweenTheSearchAndTheLockWins() {
        long epoch = lock.acquire("a");
        lock.expired();
        List<String> found = reclaims.findFree("", 100);
        TestSql.execute(RENEW, lock.name());

        assertEquals(0, reclaims.reclaim(found));

        lock.renew("a", epoch).then().statusCode(200);
    }

    @Test
    void aRenewalThatWaitedForAReclaimHasLostIt() throws Exception {
        long epoch = lock.acquire("a");
        Future<Response> renewal;
        try (TestSql.Held reclaim = new TestSql.Held("delete from resource_lease where name = ?", lock.name())) {
            renewal = TestParallel.begin(() -> lock.renew("a", epoch));
            reclaim.awaitBlocked(1);
            reclaim.commit();
        }

        expectProblem(answer(renewal), 409, "lease-lost");
        assertTrue(lock.acquire("b") > epoch);
    }

    @Test
    void aLateRenewalAndAnAcquisitionLeaveOneValidEpochWhoeverComesFirst() throws Exception {
        for (boolean renewalFirst : List.of(true, false)) {
            long old = lock.acquire("a");
            lock.expired();
            Future<Response> first;
            Future<Response> second;
            try (TestSql.Held row = lock.holdRow()) {
                first = TestParallel.begin(() -> renewalFirst ? lock.renew("a", old) : lock.ask("b"));
                row.awaitBlocked(1);
                second = TestParallel.begin(() -> renewalFirst ? lock.ask("b") : lock.renew("a", old));
                row.awaitBlocked(2);
            }

            expectProblem(answer(renewalFirst ? first : second), 409, "lease-lost");
            long epoch = answer(renewalFirst ? second : first).jsonPath().getLong("epoch");
            assertTrue(epoch > old);
            lock.get().then().body("holder", equalTo("b")).body("epoch", equalTo((int) epoch));
            lock.release(epoch);
        }
    }

    @Test
    void anAcquisitionThatWaitedForARenewalIsRefused() throws Exception {
        lock.acquire("a");
        lock.expired();
        Future<Response> acquisition;
        try (TestSql.Held renewal = new TestSql.Held(RENEW, lock.name())) {
            acquisition = TestParallel.begin(() -> lock.ask("b"));
            renewal.awaitBlocked(1);
            renewal.commit();
        }

        expectProblem(answer(acquisition), 409, "lease-held").body("holder", equalTo("a"));
    }

    @Test
    void anAcquisitionThatWaitedForARenewalThatIsTakenBackGetsIt() throws Exception {
        lock.acquire("a");
        lock.expired();
        Future<Response> acquisition;
        try (TestSql.Held renewal = new TestSql.Held(RENEW, lock.name())) {
            acquisition = TestParallel.begin(() -> lock.ask("b"));
            renewal.awaitBlocked(1);
        }

        answer(acquisition).then().statusCode(201);
    }

    @Test
    void anAttemptThatBeganWhileSomebodyWaitedForTheRowIsNotTakenForEnded() throws Exception {
        // given one who waits for the row of an expired lease
        lock.acquire("old");
        lock.expired();
        Future<Response> waiting;
        try (TestSql.Held row = lock.holdRow()) {
            waiting = TestParallel.begin(() -> lock.ask("b"));
            row.awaitBlocked(1);

            // when meanwhile an attempt begins, and gets the lease
            TestDelegation work = TestApi.direct().register();
            row.execute(
                    "update resource_lease set holder = 'a', epoch = nextval('resource_lease_epoch'),"
                            + " delegation_id = ?, delegation_epoch = 1, expires_at = now() + interval '1 hour'"
                            + " where name = ?",
                    work.id(),
                    lock.name());
            row.commit();
        }

        // then it is judged by what is there now
        expectProblem(answer(waiting), 409, "lease-held").body("holder", equalTo("a"));
    }

    @Test
    void nobodyIsTiedToAnAttemptThatIsEnding() throws Exception {
        TestDelegation work = TestApi.direct().register().begun();
        Future<Response> tied;
        try (TestSql.Held end = new TestSql.Held("delete from lease where delegation_id = ?", work.id())) {
            tied = TestParallel.begin(() -> lock.ask("a", "delegationId", work.id()));
            end.awaitBlocked(1);
            end.commit();
        }

        expectProblem(answer(tied), 409, "lease-lost");
        assertFalse(lock.hasRow());
    }

    @Test
    void theEndOfAnAttemptWaitsForAnAcquisitionAndItsHeartbeatsDoNot() throws Exception {
        TestDelegation work = TestApi.direct().register().begun();
        Future<Response> tied;
        Future<Response> end;
        try (TestSql.Held name = lock.holdName()) {
            // given an acquisition that is tied to it and not committed
            tied = TestParallel.begin(() -> lock.ask("a", "delegationId", work.id()));
            name.awaitBlocked(1);

            // when its agent beats, and then completes it
            work.beat("epoch", 1).then().statusCode(200);
            end = TestParallel.begin(() -> work.report("completed", "epoch", 1));
            name.awaitBlocked(2);
        }

        // then both succeed, one after the other, and the lease is free with the end
        answer(tied).then().statusCode(201);
        answer(end).then().statusCode(200);
        lock.acquire("b");
    }

    @Test
    void aForcedReleaseLocksTheDelegationBeforeTheLease() throws Exception {
        TestDelegation work = TestApi.direct().register().begun();
        long epoch = lock.acquire("a", "delegationId", work.id());
        Future<Response> forced;
        try (TestSql.Held change = TestSql.holdDelegation(work.id())) {
            forced = TestParallel.begin(lock::force);
            change.awaitBlocked(1);
            lock.renew("a", epoch).then().statusCode(200);
        }

        answer(forced).then().statusCode(204);
        expectProblem(lock.renew("a", epoch), 409, "lease-lost");
    }

    @Test
    void aForcedReleaseThatMeetsANewHolderIsWrittenIntoTheRightHistory() throws Exception {
        // given a forced release that waits for the row
        TestDelegation before = TestApi.direct().register().begun();
        TestDelegation after = TestApi.direct().register().begun();
        lock.acquire("a", "delegationId", before.id());
        Future<Response> forced;
        try (TestSql.Held row = lock.holdRow()) {
            forced = TestParallel.begin(lock::force);
            row.awaitBlocked(1);

            // when the lease goes to another attempt
            row.execute("update resource_lease set delegation_id = ? where name = ?", after.id(), lock.name());
            try (TestSql.Held change = TestSql.holdDelegation(after.id())) {
                row.commit();

                // then it begins again, with the lock of the delegation that it writes about
                change.awaitBlocked(1);
            }
        }

        // and takes it away from that
        answer(forced).then().statusCode(204);
        assertFalse(lock.hasRow());
        assertEquals(List.of(), TestLease.audited(before.id()));
        assertEquals(1, TestLease.audited(after.id()).size());
    }

    @Test
    void isKeptUntilItsLastMicrosecond() {
        lock.acquire("a");
        QuarkusTransaction.requiringNew().run(() -> {
            // given, within one transaction and so at one now(), a lease that expires exactly now
            expireAt("now()");
            assertTrue(leases.find(lock.name()).orElseThrow().isHeld());

            // and one microsecond later it is free
            expireAt("now() - interval '1 microsecond'");
            assertEquals(WhyFree.EXPIRED, leases.find(lock.name()).orElseThrow().whyFree());
        });
    }

    private void expireAt(String when) {
        entities.createNativeQuery("update resource_lease set expires_at = " + when + " where name = :name")
                .setParameter("name", lock.name())
                .executeUpdate();
    }

    private static Response answer(Future<Response> future) throws Exception {
        return future.get(30, TimeUnit.SECONDS);
    }

    private static List<Integer> codes(Future<Response> one, Future<Response> other) throws Exception {
        return List.of(answer(one).statusCode(), answer(other).statusCode()).stream()
                .sorted()
                .toList();
    }
}
