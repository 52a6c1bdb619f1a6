package io.rollcall.sweep;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.rollcall.delegation.DelegationStatus;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class CancelRuleTest {
    private static final Instant CANCEL_BY = Instant.parse("2026-03-01T12:00:00Z");

    private final CancelRule rule = new CancelRule();
    private final RuleBook book = Rules.all();

    @ParameterizedTest
    @EnumSource(names = {"DISPATCHED", "IN_PROGRESS"})
    void endsOneThatDidNotStopFromTheVeryInstantAtWhichItsTimeIsOver(DelegationStatus status) {
        DelegationSnapshot delegation =
                Rules.snapshot(status).cancelBy(CANCEL_BY).build();

        assertEquals(Optional.empty(), book.decide(delegation, CANCEL_BY.minus(1, ChronoUnit.MICROS), Hearing.GOOD));
        assertEquals(calledOff(CANCEL_BY), book.decide(delegation, CANCEL_BY, Hearing.GOOD));
        assertEquals(calledOff(CANCEL_BY), book.decide(delegation, CANCEL_BY.plus(1, ChronoUnit.MICROS), Hearing.GOOD));
    }

    @Test
    void givesALeaseTimeFromOurReturnToOneThatCouldNotBeReached() {
        Instant excusedUntil = CANCEL_BY.plus(Duration.ofMinutes(3));
        DelegationSnapshot delegation = Rules.snapshot(DelegationStatus.IN_PROGRESS)
                .cancelBy(CANCEL_BY)
                .excusedUntil(excusedUntil)
                .build();

        assertEquals(Optional.empty(), book.decide(delegation, excusedUntil.minus(1, ChronoUnit.MICROS), Hearing.GOOD));
        assertEquals(calledOff(excusedUntil), book.decide(delegation, excusedUntil, Hearing.GOOD));
    }

    @Test
    void doesNotAskForAReturnThatLiesFurtherBack() {
        DelegationSnapshot delegation = Rules.snapshot(DelegationStatus.IN_PROGRESS)
                .cancelBy(CANCEL_BY)
                .excusedUntil(CANCEL_BY.minus(1, ChronoUnit.MICROS))
                .build();

        assertEquals(calledOff(CANCEL_BY), book.decide(delegation, CANCEL_BY, Hearing.GOOD));
    }

    @ParameterizedTest
    @EnumSource
    void leavesAloneWhatNobodyAskedToStop(DelegationStatus status) {
        assertEquals(Optional.empty(), rule.dueAt(Rules.snapshot(status).build()));
    }

    @Test
    void doesNotActWhereNobodyCouldHaveBeenHeard() {
        DelegationSnapshot delegation =
                Rules.snapshot(DelegationStatus.IN_PROGRESS).cancelBy(CANCEL_BY).build();

        assertEquals(Hearing.DOUBTFUL, rule.needs());
        assertEquals(Optional.empty(), book.decide(delegation, CANCEL_BY.plus(Duration.ofHours(1)), Hearing.NONE));
    }

    private static Optional<RuleBook.Decision> calledOff(Instant dueAt) {
        return Optional.of(new RuleBook.Decision(RuleName.CANCEL, dueAt, new Verdict.CalledOff()));
    }
}
