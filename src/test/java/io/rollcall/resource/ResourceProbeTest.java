package io.rollcall.resource;

import static io.rollcall.testing.TestApi.expectProblem;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quarkus.test.junit.QuarkusTest;
import io.restassured.path.json.JsonPath;
import io.rollcall.liveness.SilentHolder;
import io.rollcall.liveness.Turn;
import io.rollcall.testing.TestLease;
import io.rollcall.testing.TestParallel;
import io.rollcall.testing.TestSql;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What probes of holders say, and how it is counted. */
@QuarkusTest
class ResourceProbeTest {
    private static final Turn TURN = Turn.ofTick("test", Duration.ofMinutes(5));
    private static final Map<String, Object> PROBE =
            Map.of("kind", "kubernetes", "namespace", "agents", "pod", "agent-0", "uid", "u");

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
        lock.acquire("a", "probe", PROBE);
        TestLease without = TestLease.unique();
        without.acquire("a");
        silentFor("4 minutes", without);

        silentFor("3 minutes", lock);
        assertEquals(Optional.empty(), found(lock), "not a third of ten minutes");
        silentFor("4 minutes", lock);
        assertEquals(PROBE, JsonPath.from(found(lock).orElseThrow().probe()).getMap(""));
        assertEquals(Optional.empty(), found(without));
        TestSql.execute("update beat_acceptance set returned_at = now() - interval '3 minutes'");
        assertEquals(Optional.empty(), found(lock), "nobody could renew before that");
        TestLease.timeGoesOn();
        lock.expired();
        assertEquals(Optional.empty(), found(lock));
    }

    @Test
    void isFreeAfterThreeDeadAnswersAndNotBefore() {
        long epoch = lock.acquire("a", "probe", PROBE);
        silentFor("4 minutes", lock);
        SilentHolder probed = found(lock).orElseThrow();
        for (int i = 0; i < 2; i++) {
            probes.countDead(List.of(probed), TURN);
            intervalPasses();
        }
        expectProblem(lock.ask("b"), 409, "lease-held");

        probes.countDead(List.of(probed), TURN);

        expectProblem(lock.renew("a", epoch), 409, "lease-lost");
        assertEquals(Optional.empty(), found(lock));
        assertTrue(lock.acquire("b") > epoch);
        assertEquals(0, deadAnswers());
    }

    @Test
    void deadAnswersDoNotCountAgainstItWhileNoBeatsAreAccepted() {
        lock.acquire("a", "probe", PROBE);
        TestSql.execute("update resource_lease set dead_answers = 3, dead_counted_at = now()");
        TestSql.execute("update beat_acceptance set noted_at = now() - interval '6 seconds'");

        expectProblem(lock.ask("b"), 409, "lease-held");
    }

    @Test
    void ofAllReplicasOneCountsInAnInterval() {
        lock.acquire("a", "probe", PROBE);
        silentFor("4 minutes", lock);
        SilentHolder probed = found(lock).orElseThrow();

        TestParallel.times(4, replica -> {
            probes.countDead(List.of(probed), Turn.ofTick("replica-" + replica, Duration.ofMinutes(5)));
            return replica;
        });

        assertEquals(1, deadAnswers());
        intervalPasses();
        probes.countDead(List.of(probed), TURN);
        assertEquals(2, deadAnswers());
    }

    @Test
    void anAliveAnswerOrARenewalForgetsTheDeadOnes() {
        long epoch = lock.acquire("a", "probe", PROBE);
        silentFor("4 minutes", lock);
        List<SilentHolder> probed = List.of(found(lock).orElseThrow());
        probes.countDead(probed, TURN);
        probes.clear(probed);
        assertEquals(0, deadAnswers());
        probes.countDead(probed, TURN);
        assertEquals(1, deadAnswers(), "counted from the start");

        lock.renew("a", epoch).then().statusCode(200);

        assertEquals(0, deadAnswers());
        probes.countDead(probed, TURN);
        assertEquals(0, deadAnswers(), "an answer that is older than the renewal says nothing");
    }

    private long deadAnswers() {
        return TestSql.count("select dead_answers from resource_lease where name = ?", lock.name());
    }

    private Optional<SilentHolder> found(TestLease lease) {
        return probes.findSilent(null).holders().stream()
                .filter(probed -> probed.key().equals(lease.name()))
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
