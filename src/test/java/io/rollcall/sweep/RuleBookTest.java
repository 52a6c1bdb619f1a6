package io.rollcall.sweep;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.rollcall.delegation.Aftermath;
import io.rollcall.delegation.Delegation;
import io.rollcall.delegation.DelegationFixture;
import io.rollcall.delegation.DelegationStatus;
import io.rollcall.delegation.Mishap;
import io.rollcall.delegation.Outcome;
import io.rollcall.delegation.Reason;
import io.rollcall.delegation.Recovery;
import io.rollcall.lease.Lease;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RuleBookTest {
    private static final Instant T = Instant.parse("2026-03-01T12:00:00Z");
    private static final Instant JUST_AFTER = T.plus(1, ChronoUnit.MICROS);

    /** Rules that time alone fulfils, whatever an agent does: what {@code due_at} stands for. */
    private static final Set<RuleName> BY_TIME_ALONE =
            EnumSet.of(RuleName.CANCEL, RuleName.DEADLINE, RuleName.QUEUE_TIMEOUT, RuleName.MAX_RUNNING);

    /** The rules that are asked about each delegation: all but the one about named leases. */
    private static final Set<RuleName> ABOUT_DELEGATIONS = EnumSet.complementOf(EnumSet.of(RuleName.RESOURCE_LEASES));

    @Test
    void asksTheRulesInTheOrderOfTheirNumbers() {
        assertEquals(
                List.of(
                        "cancel",
                        "deadline",
                        "queue-timeout",
                        "finalization",
                        "max-running",
                        "agent-dead",
                        "stale-heartbeat",
                        "resource-leases"),
                Arrays.stream(RuleName.values()).map(RuleName::wireName).toList());
    }

    @Test
    void theTestsKnowEveryRule() {
        assertEquals(ABOUT_DELEGATIONS, Rules.all().names());
        assertEquals(
                Rules.list().size(),
                Rules.list().stream().map(SweepRule::name).distinct().count());
    }

    @Test
    void theDeadlineWinsOverStaleness() {
        // given one whose deadline came and whose agent fell silent
        DelegationSnapshot delegation = Rules.snapshot(DelegationStatus.IN_PROGRESS)
                .deadlineAt(JUST_AFTER)
                .staleAt(T)
                .build();

        // when both match, from the same microsecond on; then it is given up, not left to an operator
        assertEquals(Optional.empty(), Rules.all().decide(delegation, T, Hearing.GOOD));
        assertEquals(RuleName.DEADLINE, rule(Rules.all(), delegation, JUST_AFTER));
    }

    @Test
    void stalenessDecidesWhereItCameBeforeTheDeadline() {
        DelegationSnapshot delegation = Rules.snapshot(DelegationStatus.IN_PROGRESS)
                .deadlineAt(JUST_AFTER.plus(1, ChronoUnit.MICROS))
                .staleAt(T)
                .build();

        assertEquals(RuleName.STALE_HEARTBEAT, rule(Rules.all(), delegation, JUST_AFTER));
    }

    @Test
    void aCancellationThatWasAskedForWinsOverTheDeadline() {
        DelegationSnapshot delegation = Rules.snapshot(DelegationStatus.IN_PROGRESS)
                .deadlineAt(T)
                .cancelBy(T)
                .build();

        assertEquals(RuleName.CANCEL, rule(Rules.all(), delegation, T));
        assertEquals(
                Optional.of(RuleName.DEADLINE),
                Rules.all().decide(delegation, T, Hearing.NONE).map(RuleBook.Decision::rule),
                "where nobody could have been heard, the deadline does not wait");
    }

    @Test
    void theDeadlineWinsOverTheQueueTimeout() {
        DelegationSnapshot delegation = Rules.snapshot(DelegationStatus.QUEUED)
                .deadlineAt(T)
                .queueTimeout(T.minus(Duration.ofMinutes(5)), Duration.ofMinutes(5))
                .build();

        assertEquals(RuleName.DEADLINE, rule(Rules.all(), delegation, T));
    }

    @Test
    void theDeadlineEndsOneThatIsStuckOrThatNeverBeat() {
        assertEquals(
                RuleName.DEADLINE,
                rule(
                        Rules.all(),
                        Rules.snapshot(DelegationStatus.STUCK)
                                .deadlineAt(T)
                                .staleAt(T)
                                .build(),
                        JUST_AFTER));
        assertEquals(
                RuleName.DEADLINE,
                rule(
                        Rules.all(),
                        Rules.snapshot(DelegationStatus.DISPATCHED)
                                .deadlineAt(T)
                                .build(),
                        T));
    }

    @ParameterizedTest
    @EnumSource(names = {"COMPLETED", "FAILED", "CANCELLED"})
    void nothingHappensToWhatIsOver(DelegationStatus status) {
        DelegationSnapshot delegation = Rules.snapshot(status)
                .deadlineAt(T)
                .queueTimeout(T, Duration.ofSeconds(1))
                .build();

        assertEquals(Optional.empty(), Rules.all().decide(delegation, T.plus(Duration.ofDays(1)), Hearing.GOOD));
    }

    @Test
    void aRuleThatIsSwitchedOffLeavesTheDecisionToTheNext() {
        DelegationSnapshot delegation = Rules.snapshot(DelegationStatus.IN_PROGRESS)
                .deadlineAt(T)
                .staleAt(T)
                .build();
        RuleBook book = Rules.without(RuleName.DEADLINE);

        assertEquals(allBut(RuleName.DEADLINE), book.names());
        assertEquals(RuleName.STALE_HEARTBEAT, rule(book, delegation, JUST_AFTER));
    }

    @ParameterizedTest
    @EnumSource
    void everyRuleCanBeSwitchedOff(RuleName name) {
        assertEquals(allBut(name), Rules.without(name).names());
    }

    private static Set<RuleName> allBut(RuleName name) {
        Set<RuleName> others = EnumSet.copyOf(ABOUT_DELEGATIONS);
        others.remove(name);
        return others;
    }

    @Test
    void aRuleThatIsHeldBackLeavesTheDecisionToTheOthers() {
        DelegationSnapshot delegation = Rules.snapshot(DelegationStatus.IN_PROGRESS)
                .deadlineAt(T.plus(Duration.ofMinutes(1)))
                .staleAt(T)
                .build();

        assertEquals(Optional.empty(), Rules.all().decide(delegation, JUST_AFTER, Hearing.NONE));
        assertEquals(
                Optional.of(RuleName.DEADLINE),
                Rules.all()
                        .decide(delegation, T.plus(Duration.ofMinutes(1)), Hearing.NONE)
                        .map(RuleBook.Decision::rule));
    }

    @Test
    void theBrakeHoldsBackOnlyTheJudgementOfSilence() {
        DelegationSnapshot silent =
                Rules.snapshot(DelegationStatus.IN_PROGRESS).staleAt(T).build();
        DelegationSnapshot toldToStop = Rules.snapshot(DelegationStatus.IN_PROGRESS)
                .staleAt(T)
                .cancelBy(T)
                .build();
        DelegationSnapshot tooLate = Rules.snapshot(DelegationStatus.IN_PROGRESS)
                .staleAt(T)
                .deadlineAt(T)
                .build();

        assertEquals(Optional.empty(), Rules.all().decide(silent, JUST_AFTER, Hearing.DOUBTFUL));
        assertEquals(
                Optional.of(RuleName.CANCEL),
                Rules.all().decide(toldToStop, JUST_AFTER, Hearing.DOUBTFUL).map(RuleBook.Decision::rule));
        assertEquals(
                Optional.of(RuleName.DEADLINE),
                Rules.all().decide(tooLate, JUST_AFTER, Hearing.DOUBTFUL).map(RuleBook.Decision::rule));
    }

    @Test
    void aBatchSizeOutOfRangeIsRefused() {
        for (String size : List.of("0", "-1", "10001")) {
            assertThrows(
                    IllegalArgumentException.class, () -> Rules.config(Map.of("rollcall.sweeper.batch-size", size)));
        }
    }

    /** {@code due_at} finds the candidates, the rules judge them: were it later than a rule, a verdict would come late. */
    @RepeatedTest(200)
    void theDueTimeOfADelegationIsTheEarliestOfTheRulesThatTimeAloneFulfils(RepetitionInfo repetition) {
        SplittableRandom random = new SplittableRandom(repetition.getCurrentRepetition());
        Delegation delegation = randomDelegation(random);

        for (int step = 0; step < 8; step++) {
            DelegationSnapshot snapshot = DelegationSnapshot.of(
                    delegation, delegation.status().holdsLease() ? DelegationFixture.attempt() : null, null, null);
            Optional<Instant> byRules = delegation.status().isFinal()
                    ? Optional.empty()
                    : Rules.list().stream()
                            .filter(rule -> BY_TIME_ALONE.contains(rule.name()))
                            .flatMap(rule -> rule.dueAt(snapshot).stream())
                            .min(Instant::compareTo);

            assertEquals(byRules, delegation.dueAt(), () -> "when " + delegation.status());
            happen(delegation, random, DelegationFixture.REGISTERED.plusSeconds(60L * step));
        }
    }

    private static Delegation randomDelegation(SplittableRandom random) {
        @Nullable Duration queueTimeout = random.nextBoolean() ? minutes(random) : null;
        boolean direct = random.nextBoolean();
        return DelegationFixture.registered(
                DelegationFixture.terms(
                        direct ? "a-1" : null,
                        "q",
                        Recovery.REQUEUE,
                        10,
                        queueTimeout,
                        random.nextBoolean() ? minutes(random) : null),
                DelegationFixture.REGISTERED.plus(minutes(random)),
                DelegationFixture.REGISTERED.plus(random.nextBoolean() ? Duration.ZERO : minutes(random)));
    }

    private static Duration minutes(SplittableRandom random) {
        return Duration.ofMinutes(1 + random.nextInt(600)).plus(random.nextInt(1_000_000), ChronoUnit.MICROS);
    }

    /** Something that may happen to it next. */
    private static void happen(Delegation delegation, SplittableRandom random, Instant now) {
        Set<DelegationStatus> possible = delegation.status().successors().stream()
                .filter(status -> status != DelegationStatus.DISPATCHED)
                .collect(Collectors.toCollection(() -> EnumSet.noneOf(DelegationStatus.class)));
        if (!delegation.status().isFinal() && random.nextInt(4) == 0) {
            delegation.edit(now.plus(minutes(random)), null, null, DelegationFixture.EVIDENCE, now);
        } else if (delegation.status().holdsLease() && random.nextInt(6) == 0) {
            delegation.recordOutcome(new Outcome(0, null, now, false), DelegationFixture.EVIDENCE, now);
        } else if (delegation.status().isInFlight() && random.nextInt(4) == 0) {
            delegation.askCancel(now.plus(minutes(random)), DelegationFixture.EVIDENCE, now);
        } else if (!possible.isEmpty()) {
            DelegationStatus next = List.copyOf(possible).get(random.nextInt(possible.size()));
            move(delegation, next, now, now.plus(minutes(random)));
        }
    }

    private static void move(Delegation delegation, DelegationStatus next, Instant now, Instant later) {
        Mishap mishap = new Mishap(Reason.HEARTBEAT_STALE, true, null);
        Lease attempt = DelegationFixture.attempt();
        switch (next) {
            case IN_PROGRESS -> delegation.begin(DelegationFixture.EVIDENCE, now);
            case COMPLETED -> delegation.complete(Reason.AGENT_REPORTED, null, DelegationFixture.EVIDENCE, now);
            case FAILED -> delegation.giveUp(Reason.OPERATOR, null, null, DelegationFixture.EVIDENCE, now);
            case CANCELLED -> delegation.cancel(null, DelegationFixture.EVIDENCE, now);
            case STUCK -> delegation.lose(Aftermath.STUCK, mishap, attempt, now, DelegationFixture.EVIDENCE, now);
            case QUEUED -> delegation.lose(Aftermath.REQUEUED, mishap, attempt, later, DelegationFixture.EVIDENCE, now);
            case DISPATCHED -> throw new IllegalArgumentException("only a claim does that");
        }
    }

    private static RuleName rule(RuleBook book, DelegationSnapshot delegation, Instant now) {
        return book.decide(delegation, now, Hearing.GOOD).orElseThrow().rule();
    }
}
