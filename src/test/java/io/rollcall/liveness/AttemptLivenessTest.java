package io.rollcall.liveness;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quarkus.narayana.jta.QuarkusTransaction;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.path.json.JsonPath;
import io.rollcall.testing.TestApi;
import io.rollcall.testing.TestDelegation;
import io.rollcall.testing.TestParallel;
import io.rollcall.testing.TestSql;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How dead answers are counted: in the database, once an interval, void as soon as the agent is heard of. */
@QuarkusTest
class AttemptLivenessTest {
    private static final Duration INTERVAL = Duration.ofMinutes(5);
    private static final Turn ONE = Turn.ofTick("one", INTERVAL);
    private static final Turn OTHER = Turn.ofTick("other", INTERVAL);
    private static final Map<String, Object> PROBE =
            Map.of("kind", "kubernetes", "namespace", "agents", "pod", "agent-0", "uid", "uid-1");

    @Inject
    AttemptLivenessRepository attempts;

    private TestDelegation work;

    @BeforeEach
    void anAgentFallsSilent() {
        work = Agents.silent(PROBE);
    }

    @Test
    void whoHasBeenSilentForLongerThanAThirdOfItsLeaseTimeIsFoundWithItsProbe() {
        SilentHolder holder = holder();
        assertEquals(1, holder.epoch());
        assertEquals(PROBE, JsonPath.from(holder.probe()).getMap(""));

        TestSql.execute(
                "update lease set last_beat_at = now() - interval '20 minutes' + interval '10 seconds'"
                        + " where delegation_id = ?",
                work.id());
        assertFalse(isFound(), "a little less than a third");
        TestSql.execute(
                "update lease set last_beat_at = now() - interval '20 minutes' where delegation_id = ?", work.id());
        assertTrue(isFound(), "a third, a moment ago");
    }

    @Test
    void nobodyIsAskedForWhomThereIsNothingToDo() {
        TestSql.execute("update lease set stuck = true where delegation_id = ?", work.id());
        assertFalse(isFound(), "stuck");
        TestSql.execute("update lease set stuck = false where delegation_id = ?", work.id());
        assertTrue(isFound());

        TestSql.execute("update attempt set epoch = 0 where delegation_id = ?", work.id());
        assertFalse(isFound(), "the probe is that of an earlier attempt");
    }

    @Test
    void countsOnceAnInterval() {
        count(ONE);
        count(ONE);
        assertEquals(1, deadCount());

        // a tick may be a little early; the same again too soon is not another tick
        Agents.letPass(work.id(), INTERVAL.minusSeconds(10));
        count(ONE);
        count(ONE);
        assertEquals(2, deadCount());
    }

    @Test
    void countsOnceAnIntervalWhoeverGivesTheAnswers() {
        count(ONE);
        Agents.letPass(work.id(), INTERVAL.minusSeconds(10));
        count(OTHER);
        assertEquals(1, deadCount(), "another replica's tick within the interval");

        Agents.letPass(work.id(), Duration.ofSeconds(10));
        count(OTHER);
        assertEquals(2, deadCount(), "the first replica has gone; the other goes on after a full interval");
    }

    @Test
    void onDemandAFullIntervalMustHavePassed() {
        count(ONE);
        Agents.letPass(work.id(), INTERVAL.minusSeconds(10));
        count(Turn.onDemand("one", INTERVAL));
        assertEquals(1, deadCount());
    }

    @Test
    void twoReplicasThatCountAtTheSameMomentCountOnce() throws Exception {
        // given two whose answers are at hand
        TestDelegation second = Agents.silent(PROBE);
        List<SilentHolder> both = List.of(holder(), holder(second));

        // when one replica has counted but not committed, while the other counts
        try (TestSql.Held counted = new TestSql.Held(
                "update attempt set dead_count = 1, dead_counted_at = now(), dead_counted_by = 'other',"
                        + " dead_beat_at = (select last_beat_at from lease l where l.delegation_id = ?)"
                        + " where delegation_id = ?",
                work.id(),
                work.id())) {
            Future<Boolean> other = TestParallel.begin(() -> {
                attempts.countDead(both, ONE);
                return true;
            });
            assertTrue(other.get(20, TimeUnit.SECONDS), "it waits for nobody");
            counted.commit();
        }

        // then each stands at one
        assertEquals(1, deadCount());
        assertEquals(1, Agents.deadCount(second.id()));
    }

    @Test
    void manyReplicasThatCountAtOnceCountOnce() {
        List<SilentHolder> found = List.of(holder());
        TestParallel.times(8, replica -> {
            attempts.countDead(found, Turn.ofTick("replica-" + replica, INTERVAL));
            return replica;
        });
        assertEquals(1, deadCount());
    }

    @Test
    void aliveSetsTheCountToZero() {
        count(ONE);
        attempts.clear(List.of(holder()));
        assertEquals(0, deadCount());
        assertTrue(dead(1).isEmpty());
    }

    @Test
    void aBeatVoidsTheCountWithoutTouchingIt() {
        // given one that was found dead twice
        count(ONE);
        Agents.letPass(work.id(), INTERVAL);
        count(ONE);
        assertEquals(2, dead(2).get(work.id()).count());

        // when it beats
        work.beat("epoch", 1).then().statusCode(200);

        // then nothing counts any more, and the next dead answer is the first again
        assertTrue(dead(1).isEmpty());
        assertFalse(isCandidate(1));
        Agents.fallSilent(work.id());
        Agents.letPass(work.id(), INTERVAL);
        count(ONE);
        assertEquals(1, deadCount());
        assertEquals(1, dead(1).get(work.id()).count());
    }

    @Test
    void anAnswerThatABeatOvertookDoesNotCount() {
        // given an answer that is on its way
        List<SilentHolder> asked = List.of(holder());

        // when the agent is heard of before it is counted
        work.beat("epoch", 1).then().statusCode(200);
        attempts.countDead(asked, ONE);

        // then it stands for nothing
        assertTrue(dead(1).isEmpty());
        assertFalse(isCandidate(1));
    }

    @Test
    void aBeatThatCommitsWhileItIsCountedWins() throws Exception {
        List<SilentHolder> asked = List.of(holder());
        try (TestSql.Held beat =
                new TestSql.Held("update lease set last_beat_at = now() where delegation_id = ?", work.id())) {
            attempts.countDead(asked, ONE);
            assertEquals(1, dead(1).size(), "not committed yet");
            beat.commit();
        }
        assertTrue(dead(1).isEmpty());
    }

    @Test
    void theNextAttemptBeginsAtZero() {
        // given an attempt that was found dead, and given back
        count(ONE);
        List<SilentHolder> old = List.of(holder());
        work.report("queued", "epoch", 1).then().statusCode(200);

        // when it is claimed again, by an agent with the same probe
        String queue = work.read().getString("queue");
        TestApi.claim(queue, "next", "leaseTime", "PT1H", "probe", PROBE);

        // then nothing counts against that one, not even what comes late for the first
        assertEquals(0, deadCount());
        attempts.countDead(old, Turn.ofTick("late", INTERVAL));
        assertEquals(0, deadCount());
    }

    @Test
    void anAttemptThatDoesNotDescribeItselfInheritsNothing() {
        count(ONE);
        work.report("queued", "epoch", 1).then().statusCode(200);
        TestApi.claim(work.read().getString("queue"), "next", "leaseTime", "PT1H");
        Agents.fallSilent(work.id());

        assertFalse(isFound());
        assertTrue(dead(1).isEmpty());
        assertFalse(isCandidate(1));
    }

    @Test
    void whatIsVoidLeavesTheIndex() {
        // given one count that stands, and some that a beat and an end have made void
        TestDelegation beaten = Agents.silent(PROBE);
        TestDelegation ended = Agents.silent(PROBE);
        attempts.countDead(List.of(holder(), holder(beaten), holder(ended)), ONE);
        beaten.beat("epoch", 1).then().statusCode(200);
        ended.report("completed", "epoch", 1).then().statusCode(200);

        attempts.forget();

        assertEquals(1, deadCount());
        assertEquals(0, Agents.deadCount(beaten.id()));
        assertEquals(0, Agents.deadCount(ended.id()));
    }

    @Test
    void pagesFollowEachOtherWithoutGapOrRepetitionAlsoWhereNobodyHasAProbe() {
        Agents.silent(PROBE);
        TestSql.execute(
                "update attempt set probe = null where delegation_id = ?",
                Agents.silent(PROBE).id());
        List<SilentHolder> walked = new ArrayList<>();
        String after = null;
        do {
            String from = after;
            SilentPage page = QuarkusTransaction.requiringNew().call(() -> attempts.findSilent(from, 1));
            walked.addAll(page.holders());
            after = page.next();
        } while (after != null);
        assertEquals(attempts.findSilent(null).holders(), walked);
    }

    private void count(Turn turn) {
        attempts.countDead(List.of(holder()), turn);
    }

    private SilentHolder holder() {
        return holder(work);
    }

    private SilentHolder holder(TestDelegation of) {
        return attempts.findSilent(null).holders().stream()
                .filter(holder -> holder.key().equals(of.id().toString()))
                .findFirst()
                .orElseThrow();
    }

    private boolean isFound() {
        return attempts.findSilent(null).holders().stream()
                .anyMatch(holder -> holder.key().equals(work.id().toString()));
    }

    private int deadCount() {
        return Agents.deadCount(work.id());
    }

    private Map<UUID, DeadHolder> dead(int needed) {
        return QuarkusTransaction.requiringNew().call(() -> attempts.deadAmong(List.of(work.id()), needed));
    }

    private boolean isCandidate(int needed) {
        return QuarkusTransaction.requiringNew()
                .call(() -> attempts.findDead(new UUID(0, 0), 100_000, needed, false))
                .contains(work.id());
    }
}
