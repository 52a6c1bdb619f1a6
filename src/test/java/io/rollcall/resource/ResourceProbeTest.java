package io.rollcall.resource;

import static io.rollcall.testing.TestApi.expectProblem;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quarkus.test.junit.QuarkusTest;
import io.rollcall.testing.TestLease;
import io.rollcall.testing.TestParallel;
import io.rollcall.testing.TestSql;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What probes of holders say, and how it is counted. */
@QuarkusTest
class ResourceProbeTest {
    private static final Duration INTERVAL = Duration.ofMinutes(5);

    @Inject
    ResourceProbeRepository probes;

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
    void onlyHeldOnesWithAProbeThatAreSilentAreProbed() {
        lock.acquire("a", "probe", Map.of("kind", "process"));
        TestLease without = TestLease.unique();
        without.acquire("a");
        silentFor("4 minutes", without);

        silentFor("3 minutes", lock);
        assertEquals(Optional.empty(), found(lock), "not a third of ten minutes");
        silentFor("4 minutes", lock);
        assertEquals("{\"kind\": \"process\"}", found(lock).orElseThrow().probe());
        assertEquals(Optional.empty(), found(without));
        TestSql.execute("update beat_acceptance set returned_at = now() - interval '3 minutes'");
        assertEquals(Optional.empty(), found(lock), "nobody could renew before that");
        TestLease.timeGoesOn();
        lock.expired();
        assertEquals(Optional.empty(), found(lock));
    }

    @Test
    void isFreeAfterThreeDeadAnswersAndNotBefore() {
        long epoch = lock.acquire("a", "probe", Map.of("kind", "process"));
        silentFor("4 minutes", lock);
        ProbedLease probed = found(lock).orElseThrow();
        for (int i = 0; i < 2; i++) {
            assertTrue(probes.countDead(probed, INTERVAL));
            intervalPasses();
        }
        expectProblem(lock.ask("b"), 409, "lease-held");

        assertTrue(probes.countDead(probed, INTERVAL));

        expectProblem(lock.renew("a", epoch), 409, "lease-lost");
        assertEquals(Optional.empty(), found(lock));
        assertTrue(lock.acquire("b") > epoch);
        assertEquals(0, TestSql.count("select dead_answers from resource_lease where name = ?", lock.name()));
    }

    @Test
    void deadAnswersDoNotCountAgainstItWhileNoBeatsAreAccepted() {
        lock.acquire("a", "probe", Map.of("kind", "process"));
        TestSql.execute("update resource_lease set dead_answers = 3, dead_counted_at = now()");
        TestSql.execute("update beat_acceptance set noted_at = now() - interval '6 seconds'");

        expectProblem(lock.ask("b"), 409, "lease-held");
    }

    @Test
    void ofAllReplicasOneCountsInAnInterval() {
        lock.acquire("a", "probe", Map.of("kind", "process"));
        silentFor("4 minutes", lock);
        ProbedLease probed = found(lock).orElseThrow();

        List<Boolean> counted = TestParallel.times(4, replica -> probes.countDead(probed, INTERVAL));

        assertEquals(1, Collections.frequency(counted, true));
        intervalPasses();
        assertTrue(probes.countDead(probed, INTERVAL));
    }

    @Test
    void anAliveAnswerOrARenewalForgetsTheDeadOnes() {
        long epoch = lock.acquire("a", "probe", Map.of("kind", "process"));
        silentFor("4 minutes", lock);
        ProbedLease probed = found(lock).orElseThrow();
        probes.countDead(probed, INTERVAL);
        probes.countAlive(probed);
        assertTrue(probes.countDead(probed, INTERVAL), "counted from the start");

        lock.renew("a", epoch).then().statusCode(200);

        assertEquals(0, TestSql.count("select dead_answers from resource_lease where name = ?", lock.name()));
        assertFalse(probes.countDead(probed, INTERVAL), "an answer that is older than the renewal says nothing");
    }

    private Optional<ProbedLease> found(TestLease lease) {
        return probes.findSilent("", 100).stream()
                .filter(probed -> probed.name().equals(lease.name()))
                .findFirst();
    }

    private static void silentFor(String interval, TestLease lease) {
        TestSql.execute(
                "update resource_lease set renewed_at = now() - cast(? as interval) where name = ?",
                interval,
                lease.name());
    }

    private void intervalPasses() {
        TestSql.execute(
                "update resource_lease set dead_counted_at = dead_counted_at - interval '5 minutes' where name = ?",
                lock.name());
    }
}
