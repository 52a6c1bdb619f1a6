package io.rollcall.sweep;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.rollcall.delegation.DelegationStatus;
import io.rollcall.delegation.Reason;
import io.rollcall.delegation.Recovery;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class DeadlineRuleTest {
    private static final Instant DEADLINE = Instant.parse("2026-03-01T16:00:00Z");

    private final DeadlineRule rule = new DeadlineRule();
    private final RuleBook book = Rules.all();

    @ParameterizedTest
    @EnumSource(names = {"QUEUED", "DISPATCHED", "IN_PROGRESS", "STUCK"})
    void givesUpWhateverIsOpenFromTheVeryInstantOfItsDeadline(DelegationStatus status) {
        DelegationSnapshot delegation =
                Rules.snapshot(status).deadlineAt(DEADLINE).build();

        assertEquals(Optional.empty(), book.decide(delegation, DEADLINE.minus(1, ChronoUnit.MICROS), Hearing.GOOD));
        assertEquals(
                Optional.of(new RuleBook.Decision(RuleName.DEADLINE, DEADLINE, givenUp())),
                book.decide(delegation, DEADLINE, Hearing.GOOD));
        assertEquals(
                Optional.of(new RuleBook.Decision(RuleName.DEADLINE, DEADLINE, givenUp())),
                book.decide(delegation, DEADLINE.plus(1, ChronoUnit.MICROS), Hearing.GOOD));
    }

    @ParameterizedTest
    @EnumSource(Recovery.class)
    void doesNotAskForRecoveryOrBudget(Recovery recovery) {
        DelegationSnapshot delegation = Rules.snapshot(DelegationStatus.IN_PROGRESS)
                .deadlineAt(DEADLINE)
                .recovery(recovery)
                .hasBudget(true)
                .build();

        assertEquals(givenUp(), rule.decide(delegation));
    }

    @Test
    void doesNotWaitWhereNobodyCouldHaveBeenHeard() {
        assertEquals(Hearing.NONE, rule.needs());
        assertEquals(
                Optional.of(givenUp()),
                book.decide(
                                Rules.snapshot(DelegationStatus.IN_PROGRESS)
                                        .deadlineAt(DEADLINE)
                                        .build(),
                                DEADLINE,
                                Hearing.NONE)
                        .map(RuleBook.Decision::verdict));
    }

    private static Verdict givenUp() {
        return new Verdict.GivenUp(Reason.DEADLINE_EXCEEDED, "deadline exceeded by sweeper");
    }
}
