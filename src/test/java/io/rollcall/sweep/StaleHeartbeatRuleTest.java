package io.rollcall.sweep;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rollcall.delegation.Aftermath;
import io.rollcall.delegation.DelegationStatus;
import io.rollcall.delegation.Reason;
import io.rollcall.delegation.Recovery;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class StaleHeartbeatRuleTest {
    private static final Instant STALE = Instant.parse("2026-03-01T12:00:00Z");
    private static final Instant JUST_AFTER = STALE.plus(1, ChronoUnit.MICROS);
    private static final Instant LONG_AFTER = STALE.plus(Duration.ofDays(1));

    private final StaleHeartbeatRule rule = new StaleHeartbeatRule();
    private final RuleBook book = Rules.all();

    @ParameterizedTest
    @EnumSource(names = {"DISPATCHED", "IN_PROGRESS"})
    void keepsTheLeaseUntilItsLastMicrosecond(DelegationStatus status) {
        DelegationSnapshot delegation = Rules.snapshot(status).staleAt(STALE).build();

        assertEquals(Optional.empty(), book.decide(delegation, STALE.minus(1, ChronoUnit.MICROS), Hearing.GOOD));
        assertEquals(Optional.empty(), book.decide(delegation, STALE, Hearing.GOOD));
        assertEquals(
                Optional.of(new RuleBook.Decision(
                        RuleName.STALE_HEARTBEAT,
                        JUST_AFTER,
                        new Verdict.Lost(Aftermath.STUCK, Reason.HEARTBEAT_STALE))),
                book.decide(delegation, JUST_AFTER, Hearing.GOOD));
    }

    @ParameterizedTest
    @EnumSource(names = {"DISPATCHED", "IN_PROGRESS"})
    void neverTouchesOneThatHasNotBeatenYet(DelegationStatus status) {
        DelegationSnapshot delegation = Rules.snapshot(status).staleAt(null).build();

        assertEquals(Optional.empty(), rule.dueAt(delegation));
        assertEquals(Optional.empty(), book.decide(delegation, LONG_AFTER, Hearing.GOOD));
    }

    @Test
    void doesNotJudgeOneThatIsStuckAgain() {
        DelegationSnapshot delegation =
                Rules.snapshot(DelegationStatus.STUCK).staleAt(STALE).build();

        assertEquals(Optional.empty(), rule.dueAt(delegation));
        assertEquals(Optional.empty(), book.decide(delegation, LONG_AFTER, Hearing.GOOD));
    }

    @ParameterizedTest
    @EnumSource(names = {"QUEUED", "COMPLETED", "FAILED", "CANCELLED"})
    void concernsOnlyWhatIsInFlight(DelegationStatus status) {
        assertEquals(Optional.empty(), rule.dueAt(Rules.snapshot(status).build()));
    }

    @ParameterizedTest(name = "recovery {0}, effect of what must not be done twice {1}, budget left {2}: {3}")
    @CsvSource(delimiter = '|', textBlock = """
            # recovery | non-idempotent | has budget | aftermath
            NONE       | false          | true       | STUCK
            NONE       | false          | false      | STUCK
            NONE       | true           | true       | STUCK
            NONE       | true           | false      | STUCK
            REQUEUE    | false          | true       | REQUEUED
            REQUEUE    | false          | false      | RETRIES_EXHAUSTED
            REQUEUE    | true           | true       | NOT_RETRYABLE
            REQUEUE    | true           | false      | NOT_RETRYABLE
            """)
    void decidesByRecoveryAndNeverRepeatsWhatMustNotBeDoneTwice(
            Recovery recovery, boolean nonIdempotent, boolean hasBudget, Aftermath aftermath) {
        Rules.Builder delegation = Rules.snapshot(DelegationStatus.IN_PROGRESS)
                .staleAt(STALE)
                .recovery(recovery)
                .hasBudget(hasBudget);
        if (nonIdempotent) {
            delegation.nonIdempotent();
        }

        assertEquals(new Verdict.Lost(aftermath, Reason.HEARTBEAT_STALE), rule.decide(delegation.build()));
    }

    @Test
    void silenceDoesNotCountWhereNobodyCouldHaveBeenHeard() {
        DelegationSnapshot delegation =
                Rules.snapshot(DelegationStatus.IN_PROGRESS).staleAt(STALE).build();

        assertEquals(Hearing.GOOD, rule.needs());
        assertEquals(Optional.empty(), book.decide(delegation, LONG_AFTER, Hearing.NONE));
        assertTrue(book.decide(delegation, LONG_AFTER, Hearing.GOOD).isPresent());
    }
}
