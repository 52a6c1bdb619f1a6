package io.rollcall.sweep;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.rollcall.delegation.DelegationStatus;
import io.rollcall.delegation.Reason;
import io.rollcall.delegation.Recovery;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class QueueTimeoutRuleTest {
    private static final Instant AVAILABLE = Instant.parse("2026-03-01T12:00:00Z");
    private static final Duration TIMEOUT = Duration.ofMinutes(5);
    private static final Instant OVER = AVAILABLE.plus(TIMEOUT);

    private final QueueTimeoutRule rule = new QueueTimeoutRule();
    private final RuleBook book = Rules.all();

    @Test
    void givesUpWhatNobodyClaimedFromTheVeryInstantAtWhichItsTimeIsOver() {
        DelegationSnapshot delegation = Rules.snapshot(DelegationStatus.QUEUED)
                .queueTimeout(AVAILABLE, TIMEOUT)
                .build();
        Verdict givenUp = new Verdict.GivenUp(Reason.QUEUE_TIMEOUT, "not claimed within its queue timeout");

        assertEquals(Optional.empty(), book.decide(delegation, OVER.minus(1, ChronoUnit.MICROS), Hearing.GOOD));
        assertEquals(
                Optional.of(new RuleBook.Decision(RuleName.QUEUE_TIMEOUT, OVER, givenUp)),
                book.decide(delegation, OVER, Hearing.GOOD));
        assertEquals(
                Optional.of(new RuleBook.Decision(RuleName.QUEUE_TIMEOUT, OVER, givenUp)),
                book.decide(delegation, OVER.plus(1, ChronoUnit.MICROS), Hearing.GOOD));
    }

    @ParameterizedTest
    @EnumSource(names = "QUEUED", mode = EnumSource.Mode.EXCLUDE)
    void concernsOnlyWhatIsQueued(DelegationStatus status) {
        DelegationSnapshot delegation =
                Rules.snapshot(status).queueTimeout(AVAILABLE, TIMEOUT).build();

        assertEquals(Optional.empty(), rule.dueAt(delegation));
        assertEquals(Optional.empty(), book.decide(delegation, OVER.plus(Duration.ofDays(1)), Hearing.GOOD));
    }

    @Test
    void waitsForEverWithoutATimeout() {
        DelegationSnapshot delegation = Rules.snapshot(DelegationStatus.QUEUED)
                .queueTimeout(AVAILABLE, null)
                .build();

        assertEquals(Optional.empty(), rule.dueAt(delegation));
    }

    @Test
    void isFailureWhateverBudgetIsLeft() {
        DelegationSnapshot delegation = Rules.snapshot(DelegationStatus.QUEUED)
                .queueTimeout(AVAILABLE, TIMEOUT)
                .recovery(Recovery.REQUEUE)
                .hasBudget(true)
                .build();

        assertEquals(
                new Verdict.GivenUp(Reason.QUEUE_TIMEOUT, "not claimed within its queue timeout"),
                rule.decide(delegation));
    }

    @Test
    void doesNotWaitWhereNobodyCouldHaveBeenHeard() {
        assertEquals(Hearing.NONE, rule.needs());
    }
}
