package io.rollcall.sweep;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quarkus.test.junit.QuarkusTest;
import io.rollcall.liveness.Agents;
import io.rollcall.liveness.AttemptLivenessRepository;
import io.rollcall.liveness.Prober;
import io.rollcall.liveness.Turn;
import io.rollcall.testing.TestApi;
import io.rollcall.testing.TestDelegation;
import io.rollcall.testing.TestLease;
import io.rollcall.testing.TestProcess;
import io.rollcall.testing.TestSql;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Real agents that are killed, and ticks that find out. */
@QuarkusTest
class AgentDeadTest {
    @Inject
    Sweepers sweepers;

    @Inject
    SweepBatch batches;

    @Inject
    SweepConfig config;

    @Inject
    Prober prober;

    @Inject
    AttemptLivenessRepository attempts;

    private TestProcess agent;
    private TestDelegation work;
    private Sweeper sweeper;

    @BeforeEach
    void anAgentFallsSilent() {
        Rows.startAfresh();
        sweeper = restarted();
        agent = TestProcess.start();
        work = Agents.silent(agent.probe());
    }

    @AfterEach
    void stop() {
        agent.close();
        Rows.startAfresh();
    }

    @Test
    void aKilledAgentIsNoticedAfterThreeTicksAndNotBefore() {
        agent.kill();

        tick();
        nextTick();
        assertEquals("in_progress", work.status());

        SweepReport third = nextTick();
        assertEquals(1, third.verdicts().get(VerdictName.REQUEUED));
        assertEquals("queued", work.status());
        assertEquals(1, work.read().getInt("requeueCount"));
        assertEquals("agent_dead", work.read().getString("cause"));
        Map<String, Object> verdict = last(work.events("transition"));
        assertEquals("agent-dead", verdict.get("rule"));
        Map<?, ?> judgedBy = (Map<?, ?>) verdict.get("data");
        assertEquals(3, judgedBy.get("deadCount"));
        assertEquals("process", judgedBy.get("probe"));
        assertEquals("PT1H", judgedBy.get("leaseTime"));
        assertTrue(
                TestSql.value(Boolean.class, "select available_at <= now() from delegation where id = ?", work.id()),
                "at once");
    }

    @Test
    void theCountOutlivesARestartOfTheService() {
        agent.kill();
        tick();
        nextTick();

        // when the service starts anew: the tick right after its start is within the interval of the last one
        sweeper = restarted();
        tick();
        assertEquals("in_progress", work.status());

        // then the next one is the third
        nextTick();
        assertEquals("queued", work.status());
        assertEquals("agent_dead", work.read().getString("cause"));
    }

    @Test
    void aLivingAgentIsNeverTakenForDeadHoweverSilentWithinItsLeaseTime() {
        for (int i = 0; i < 10; i++) {
            nextTick();
        }
        assertEquals("in_progress", work.status());
        assertEquals(0, Agents.deadCount(work.id()));
    }

    @Test
    void manyTicksWithinOneIntervalAreOne() {
        agent.kill();
        for (int i = 0; i < 5; i++) {
            tick();
            sweeper.sweep("operator", false, false);
            restarted().sweep("tick", false, false);
        }
        assertEquals("in_progress", work.status());
        assertEquals(1, Agents.deadCount(work.id()));
    }

    @Test
    void aBeatInBetweenMakesItBeginAnew() {
        agent.kill();
        tick();
        nextTick();

        work.beat("epoch", 1).then().statusCode(200); // by a thread of another life, say
        Agents.fallSilent(work.id());

        nextTick();
        nextTick();
        assertEquals("in_progress", work.status());
        nextTick();
        assertEquals("queued", work.status());
    }

    @Test
    void oneWhoseRunHasEndedIsLeftToItsFinalizationAndIsNoConflict() {
        work.outcome(0, "epoch", 1).then().statusCode(200);
        Agents.fallSilent(work.id());
        agent.kill();

        for (int tick = 0; tick < 3; tick++) {
            prober.ask(attempts, Turn.onDemand("test", Duration.ZERO));
        }
        assertEquals(3, Agents.deadCount(work.id()));
        SweepReport report = tick();

        assertEquals(0, report.conflicts());
        assertEquals("in_progress", work.status());
    }

    @Test
    void aBeatRightBeforeTheVerdictSavesIt() {
        agent.kill();
        tick();
        nextTick();
        Agents.letPass(work.id(), config.interval());
        prober.ask(attempts, Turn.onDemand("test", config.interval()));
        assertEquals(3, Agents.deadCount(work.id()));

        work.beat("epoch", 1).then().statusCode(200);

        assertEquals(1, batches.sweep(List.of(work.id()), false, Map.of()).conflicts());
        assertEquals("in_progress", work.status());
    }

    @Test
    void whoseRecoveryIsNoneIsStuckWithItsLease() {
        TestDelegation other = Agents.silent(agent.probe(), "recovery", "none");
        agent.kill();
        threeTicks(other);

        assertEquals("stuck", other.status());
        assertEquals("agent_dead", other.read().getString("reason"));
        assertEquals(1, other.read().getInt("lease.epoch"));

        // and a report of it is accepted all the same
        other.report("completed", "epoch", 1).then().statusCode(200);
    }

    @Test
    void whatMustNotBeDoneTwiceIsNotTriedAgain() {
        work.beat("epoch", 1, "effect", "non_idempotent").then().statusCode(200);
        Agents.fallSilent(work.id());
        agent.kill();
        threeTicks(work);

        assertEquals("failed", work.status());
        assertEquals("not_retryable", work.read().getString("reason"));
        assertEquals("agent_dead", work.read().getString("cause"));
    }

    @Test
    void whoseBudgetIsSpentIsADeadLetter() {
        TestDelegation last = Agents.silent(agent.probe(), "maxRequeues", 0);
        agent.kill();
        threeTicks(last);

        assertEquals("retries_exhausted", last.read().getString("reason"));
        assertEquals("agent_dead", last.read().getString("cause"));
    }

    @Test
    void whileTheBrakeHoldsItIsHeldBackAndCounted() {
        // given a dead agent, and twenty-five others of which twenty-one have gone stale at once
        agent.kill();
        tick();
        nextTick();
        Rows.running(4);
        Rows.fallSilent(Rows.running(21));

        // when the third tick comes
        SweepReport braked = nextTick();

        // then nobody is judged by silence or by death, and all of them are named
        assertTrue(braked.braked());
        assertEquals(22, braked.heldBack());
        assertEquals("in_progress", work.status());
        assertEquals(3, Agents.deadCount(work.id()));

        // until an operator says so
        sweeper.sweep("operator", false, true);
        assertEquals("queued", work.status());
    }

    @Test
    void whileNoBeatsAreAcceptedItIsHeldBack() {
        agent.kill();
        tick();
        nextTick();
        Rows.execute("update beat_acceptance set noted_at = now() - interval '1 minute'");

        assertEquals(1, nextTick().heldBack());
        assertEquals("in_progress", work.status());
    }

    @Test
    void aDryRunAsksNobody() {
        agent.kill();
        tick();
        nextTick();
        Agents.letPass(work.id(), config.interval());

        sweeper.sweep("operator", true, false);

        assertEquals(2, Agents.deadCount(work.id()));
        assertEquals("in_progress", work.status());
    }

    @Test
    void switchedOffItNeitherAsksNorJudges() {
        sweeper = sweepers.start(Rules.config(Map.of("rollcall.sweeper.rules.agent-dead", "false")));
        agent.kill();
        threeTicks(work);

        assertEquals("in_progress", work.status());
        assertEquals(0, Agents.deadCount(work.id()));
    }

    @Test
    void theNextAttemptIsToldWhatBecameOfTheLast() {
        agent.kill();
        threeTicks(work);
        String queue = work.read().getString("queue");

        var claimed = TestApi.claim(queue, "next");

        assertEquals("agent_dead", claimed.getString("items[0].previous.cause"));
        assertEquals(2, claimed.getInt("items[0].lease.epoch"));
        assertNull(work.read().getString("reason"));
    }

    @Test
    void aNamedLeaseOfAKilledHolderIsFreeAfterThreeTicksAndThatOfALivingOneIsNot() {
        try (TestProcess living = TestProcess.start()) {
            TestLease lost = TestLease.unique();
            TestLease kept = TestLease.unique();
            lost.acquire("a", "ttl", "PT1H", "probe", agent.probe());
            kept.acquire("b", "ttl", "PT1H", "probe", living.probe());
            Rows.execute("update resource_lease set renewed_at = now() - interval '21 minutes'");
            agent.kill();

            for (int tick = 1; tick <= 3; tick++) {
                assertEquals(2, Rows.number("select count(*) from resource_lease"), "before tick " + tick);
                Rows.execute("update resource_lease set dead_counted_at = dead_counted_at - interval '5 minutes'");
                tick();
            }

            assertEquals(kept.name(), Rows.text("select string_agg(name, ' ') from resource_lease"));
            lost.acquire("c");
        } finally {
            Rows.execute("delete from resource_lease");
        }
    }

    private void threeTicks(TestDelegation of) {
        for (int i = 0; i < 3; i++) {
            Agents.letPass(of.id(), config.interval());
            nextTick();
        }
    }

    private SweepReport tick() {
        return sweeper.sweep("tick", false, false);
    }

    /** One interval later. */
    private SweepReport nextTick() {
        Agents.letPass(work.id(), config.interval());
        return tick();
    }

    private Sweeper restarted() {
        return sweepers.start(config);
    }

    private static <T> T last(List<T> items) {
        return items.get(items.size() - 1);
    }
}
