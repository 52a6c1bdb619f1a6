package io.rollcall.sweep;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rollcall.delegation.Aftermath;
import io.rollcall.delegation.DelegationStatus;
import io.rollcall.delegation.GateVerdict;
import io.rollcall.delegation.Mishap;
import io.rollcall.delegation.Reason;
import io.rollcall.delegation.Recovery;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class FinalizationRuleTest {
    private static final Instant ENDED = Instant.parse("2026-03-01T12:00:00Z");
    private static final Duration GRACE = Duration.ofMinutes(5);
    private static final Duration LEASE_TIME = Duration.ofMinutes(10);

    private final FinalizationRule rule = new FinalizationRule(Rules.config(Map.of()));
    private final RuleBook book = Rules.all();

    @ParameterizedTest
    @EnumSource(names = {"DISPATCHED", "IN_PROGRESS", "STUCK"})
    void settlesByTheExitCodeOnceTheGraceIsOver(DelegationStatus status) {
        DelegationSnapshot delegation = Rules.snapshot(status).outcome(0, ENDED).build();
        Instant over = ENDED.plus(GRACE);

        assertEquals(Optional.empty(), book.decide(delegation, over.minus(1, ChronoUnit.MICROS), Hearing.GOOD));
        assertEquals(
                Optional.of(new RuleBook.Decision(RuleName.FINALIZATION, over, new Verdict.Completed())),
                book.decide(delegation, over, Hearing.GOOD));
    }

    @Test
    void countsFromTheLastSignOfLife() {
        DelegationSnapshot beating = Rules.snapshot(DelegationStatus.IN_PROGRESS)
                .outcome(0, ENDED)
                .staleAt(ENDED.plusSeconds(60).plus(LEASE_TIME))
                .build();
        DelegationSnapshot heldUpByUs = Rules.snapshot(DelegationStatus.IN_PROGRESS)
                .outcome(0, ENDED)
                .staleAt(ENDED.plusSeconds(60).plus(LEASE_TIME))
                .excusedUntil(ENDED.plusSeconds(300).plus(LEASE_TIME))
                .build();
        DelegationSnapshot silentBefore = Rules.snapshot(DelegationStatus.IN_PROGRESS)
                .outcome(0, ENDED)
                .staleAt(ENDED.minusSeconds(60).plus(LEASE_TIME))
                .build();

        assertEquals(Optional.of(ENDED.plusSeconds(60).plus(GRACE)), rule.dueAt(beating));
        assertEquals(Optional.of(ENDED.plusSeconds(300).plus(GRACE)), rule.dueAt(heldUpByUs));
        assertEquals(Optional.of(ENDED.plus(GRACE)), rule.dueAt(silentBefore));
    }

    @Test
    void protectsFromEveryRuleBelowAndFromNoneAbove() {
        // given one that is silent, and has been at it for too long
        Rules.Builder finalizing = Rules.snapshot(DelegationStatus.IN_PROGRESS)
                .outcome(1, ENDED)
                .maxRunning(Duration.ofMinutes(1))
                .staleAt(ENDED.minusSeconds(1));

        // then nothing happens within the grace, nor after it where rule 4 must not act
        assertEquals(Optional.empty(), book.decide(finalizing.build(), ENDED.plusSeconds(60), Hearing.GOOD));
        assertEquals(Optional.empty(), book.decide(finalizing.build(), ENDED.plusSeconds(600), Hearing.NONE));
        // and its deadline comes all the same
        finalizing.deadlineAt(ENDED.plusSeconds(30));
        assertEquals(
                Optional.of(RuleName.DEADLINE),
                book.decide(finalizing.build(), ENDED.plusSeconds(60), Hearing.NONE)
                        .map(RuleBook.Decision::rule));
    }

    @Test
    void theBrakeDoesNotHoldItBackButAnOutageDoes() {
        DelegationSnapshot delegation =
                Rules.snapshot(DelegationStatus.IN_PROGRESS).outcome(0, ENDED).build();
        Instant over = ENDED.plus(GRACE);

        assertTrue(book.decide(delegation, over, Hearing.DOUBTFUL).isPresent());
        assertFalse(book.decide(delegation, over, Hearing.NONE).isPresent());
    }

    @Test
    void whereItIsSwitchedOffSilenceCountsAsEver() {
        DelegationSnapshot delegation = Rules.snapshot(DelegationStatus.IN_PROGRESS)
                .outcome(0, ENDED)
                .staleAt(ENDED)
                .build();

        assertEquals(
                Optional.of(RuleName.STALE_HEARTBEAT),
                Rules.without(RuleName.FINALIZATION)
                        .decide(delegation, ENDED.plusSeconds(1), Hearing.GOOD)
                        .map(RuleBook.Decision::rule));
    }

    @Test
    void waitsForItsGateAfterTheGrace() {
        Instant over = ENDED.plus(GRACE);
        Rules.Builder silent =
                Rules.snapshot(DelegationStatus.IN_PROGRESS).outcome(0, ENDED).staleAt(ENDED);

        assertEquals(Optional.empty(), book.decide(silent.gate(null).build(), over.plusSeconds(600), Hearing.GOOD));
        assertEquals(
                Optional.of(new RuleBook.Decision(RuleName.FINALIZATION, over, new Verdict.Completed())),
                book.decide(silent.gate(new GateVerdict(true, null)).build(), over, Hearing.GOOD));
        GateVerdict red = new GateVerdict(false, "two tests fail");
        assertEquals(
                Optional.of(new RuleBook.Decision(
                        RuleName.FINALIZATION, over, new Verdict.Failed(Aftermath.FAILED, red.mishap()))),
                book.decide(silent.gate(red).build(), over, Hearing.GOOD));
    }

    @Test
    void oneThatWasReportedWaitsForNothingButItsGate() {
        Rules.Builder reported = Rules.snapshot(DelegationStatus.IN_PROGRESS)
                .reported(ENDED)
                .staleAt(ENDED.plusSeconds(600))
                .recovery(Recovery.REQUEUE)
                .hasBudget(true)
                .nonIdempotent();

        assertEquals(
                Optional.empty(), book.decide(reported.gate(null).build(), ENDED.plusSeconds(9_000), Hearing.GOOD));
        assertEquals(
                Optional.of(new Verdict.Completed()),
                book.decide(reported.gate(new GateVerdict(true, null)).build(), ENDED, Hearing.GOOD)
                        .map(RuleBook.Decision::verdict));
        GateVerdict red = new GateVerdict(false, null);
        assertEquals(
                Optional.of(new Verdict.Failed(Aftermath.REQUEUED, red.mishap())),
                book.decide(reported.gate(red).build(), ENDED, Hearing.GOOD).map(RuleBook.Decision::verdict),
                "it is at nothing any more that must not be done twice");
    }

    @Test
    void aRunThatFailedNeedsNoGate() {
        DelegationSnapshot failed =
                Rules.snapshot(DelegationStatus.IN_PROGRESS).outcome(1, ENDED).build();

        assertEquals(
                Optional.of(new Verdict.Failed(Aftermath.FAILED, new Mishap(Reason.FINALIZATION_TIMEOUT, true, null))),
                book.decide(failed, ENDED.plus(GRACE), Hearing.GOOD).map(RuleBook.Decision::verdict));
    }

    @Test
    void aRunThatGoesOnIsNoneOfItsBusiness() {
        DelegationSnapshot running =
                Rules.snapshot(DelegationStatus.IN_PROGRESS).staleAt(ENDED).build();

        assertEquals(Optional.empty(), rule.dueAt(running));
        assertFalse(rule.protects(running));
    }

    @ParameterizedTest(name = "recovery {0}, effect of what must not be done twice {1}, budget left {2}: {3}")
    @CsvSource(delimiter = '|', textBlock = """
            # recovery | non-idempotent | has budget | aftermath
            NONE       | false          | true       | FAILED
            NONE       | true           | false      | FAILED
            REQUEUE    | false          | true       | REQUEUED
            REQUEUE    | false          | false      | RETRIES_EXHAUSTED
            REQUEUE    | true           | true       | NOT_RETRYABLE
            """)
    void aRunThatFailedIsDecidedByRecovery(
            Recovery recovery, boolean nonIdempotent, boolean hasBudget, Aftermath aftermath) {
        Rules.Builder delegation = Rules.snapshot(DelegationStatus.IN_PROGRESS)
                .outcome(3, ENDED)
                .recovery(recovery)
                .hasBudget(hasBudget);
        if (nonIdempotent) {
            delegation.nonIdempotent();
        }

        assertEquals(
                new Verdict.Failed(aftermath, new Mishap(Reason.FINALIZATION_TIMEOUT, true, null)),
                rule.decide(delegation.build()));
    }
}
