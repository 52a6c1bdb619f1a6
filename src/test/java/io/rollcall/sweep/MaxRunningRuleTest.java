package io.rollcall.sweep;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.rollcall.delegation.Aftermath;
import io.rollcall.delegation.DelegationStatus;
import io.rollcall.delegation.Mishap;
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

class MaxRunningRuleTest {
    private static final Duration LIMIT = Duration.ofHours(2);
    private static final Instant OVER = Rules.ACQUIRED.plus(LIMIT);

    private final MaxRunningRule rule = new MaxRunningRule();
    private final RuleBook book = Rules.all();

    @ParameterizedTest
    @EnumSource(names = {"DISPATCHED", "IN_PROGRESS"})
    void countsFromTheAcquisitionHoweverLivelyTheAgentBeats(DelegationStatus status) {
        DelegationSnapshot delegation = Rules.snapshot(status)
                .maxRunning(LIMIT)
                .staleAt(OVER.plus(Duration.ofMinutes(9)))
                .build();

        assertEquals(Optional.empty(), book.decide(delegation, OVER.minus(1, ChronoUnit.MICROS), Hearing.GOOD));
        assertEquals(
                Optional.of(new RuleBook.Decision(RuleName.MAX_RUNNING, OVER, failed(Aftermath.FAILED))),
                book.decide(delegation, OVER, Hearing.GOOD));
    }

    @Test
    void waitsForNobody() {
        DelegationSnapshot delegation =
                Rules.snapshot(DelegationStatus.IN_PROGRESS).maxRunning(LIMIT).build();

        assertEquals(
                Optional.of(RuleName.MAX_RUNNING),
                book.decide(delegation, OVER, Hearing.NONE).map(RuleBook.Decision::rule));
    }

    @Test
    void comesAfterTheDeadlineAndBeforeSilence() {
        DelegationSnapshot silent = Rules.snapshot(DelegationStatus.IN_PROGRESS)
                .maxRunning(LIMIT)
                .staleAt(OVER.minusSeconds(1))
                .build();
        DelegationSnapshot tooLate = Rules.snapshot(DelegationStatus.IN_PROGRESS)
                .maxRunning(LIMIT)
                .deadlineAt(OVER)
                .build();

        assertEquals(
                RuleName.MAX_RUNNING,
                book.decide(silent, OVER, Hearing.GOOD).orElseThrow().rule());
        assertEquals(
                RuleName.DEADLINE,
                book.decide(tooLate, OVER, Hearing.GOOD).orElseThrow().rule());
    }

    @ParameterizedTest
    @EnumSource(names = {"QUEUED", "STUCK", "COMPLETED", "FAILED", "CANCELLED"})
    void concernsOnlyWhatIsInFlight(DelegationStatus status) {
        assertEquals(
                Optional.empty(),
                rule.dueAt(Rules.snapshot(status).maxRunning(LIMIT).build()));
    }

    @Test
    void whatHasNoLimitIsLeftToItsDeadline() {
        assertEquals(
                Optional.empty(),
                rule.dueAt(Rules.snapshot(DelegationStatus.IN_PROGRESS).build()));
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
    void decidesByRecoveryAndNeverRepeatsWhatMustNotBeDoneTwice(
            Recovery recovery, boolean nonIdempotent, boolean hasBudget, Aftermath aftermath) {
        Rules.Builder delegation = Rules.snapshot(DelegationStatus.IN_PROGRESS)
                .maxRunning(LIMIT)
                .recovery(recovery)
                .hasBudget(hasBudget);
        if (nonIdempotent) {
            delegation.nonIdempotent();
        }

        assertEquals(failed(aftermath), rule.decide(delegation.build()));
    }

    private static Verdict failed(Aftermath aftermath) {
        return new Verdict.Failed(aftermath, new Mishap(Reason.MAX_RUNNING_EXCEEDED, true, null));
    }
}
