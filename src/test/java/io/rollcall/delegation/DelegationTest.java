package io.rollcall.delegation;

import static io.rollcall.delegation.DelegationFixture.DEADLINE;
import static io.rollcall.delegation.DelegationFixture.EVIDENCE;
import static io.rollcall.delegation.DelegationFixture.REGISTERED;
import static io.rollcall.delegation.DelegationStatus.CANCELLED;
import static io.rollcall.delegation.DelegationStatus.COMPLETED;
import static io.rollcall.delegation.DelegationStatus.DISPATCHED;
import static io.rollcall.delegation.DelegationStatus.FAILED;
import static io.rollcall.delegation.DelegationStatus.IN_PROGRESS;
import static io.rollcall.delegation.DelegationStatus.QUEUED;
import static io.rollcall.delegation.DelegationStatus.STUCK;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rollcall.error.ErrorCode;
import io.rollcall.lease.Lease;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class DelegationTest {
    private static final Instant NOW = REGISTERED.plus(Duration.ofMinutes(1));
    private static final Instant LATER = NOW.plus(Duration.ofMinutes(1));
    private static final Lease LEASE = DelegationFixture.attempt();
    private static final String ERROR = "{\"message\":\"no\"}";

    /** A method of the entity, and the status that it leads to. */
    private record Move(String name, DelegationStatus to, Function<Delegation, DelegationEvent> method) {
        @Override
        public String toString() {
            return name;
        }
    }

    private static List<Move> moves() {
        Map<Aftermath, DelegationStatus> losses = new EnumMap<>(Map.of(
                Aftermath.STUCK, STUCK,
                Aftermath.FAILED, FAILED,
                Aftermath.NOT_RETRYABLE, FAILED,
                Aftermath.RETRIES_EXHAUSTED, FAILED,
                Aftermath.REQUEUED, QUEUED));
        return Stream.concat(
                        Stream.of(
                                new Move("begin", IN_PROGRESS, d -> d.begin(EVIDENCE, NOW)),
                                new Move(
                                        "complete",
                                        COMPLETED,
                                        d -> d.complete(Reason.AGENT_REPORTED, "{\"r\":1}", EVIDENCE, NOW)),
                                new Move(
                                        "giveUp",
                                        FAILED,
                                        d -> d.giveUp(Reason.DEADLINE_EXCEEDED, true, ERROR, EVIDENCE, NOW)),
                                new Move("cancel", CANCELLED, d -> d.cancel("{\"r\":2}", EVIDENCE, NOW)),
                                new Move("release", QUEUED, d -> d.release(LEASE, EVIDENCE, NOW))),
                        losses.entrySet().stream()
                                .map(loss -> new Move(
                                        "lose: " + loss.getKey(),
                                        loss.getValue(),
                                        d -> d.lose(loss.getKey(), staleBeat(), LEASE, LATER, EVIDENCE, NOW))))
                .toList();
    }

    private static Stream<Arguments> everyMoveFromEveryStatus() {
        return Arrays.stream(DelegationStatus.values())
                .flatMap(from -> moves().stream().map(move -> Arguments.of(from, move)));
    }

    private static Mishap staleBeat() {
        return new Mishap(Reason.HEARTBEAT_STALE, true, ERROR);
    }

    /** All that can be seen of one. */
    private static List<@Nullable Object> stateOf(Delegation delegation) {
        return Arrays.asList(
                delegation.status(),
                delegation.reason(),
                delegation.cause(),
                delegation.retryable(),
                delegation.epoch(),
                delegation.requeueCount(),
                delegation.updatedAt(),
                delegation.startedAt(),
                delegation.finishedAt(),
                delegation.deadlineAt(),
                delegation.availableAt(),
                delegation.cancelBy(),
                delegation.previous(),
                delegation.dueAt(),
                delegation.priority(),
                delegation.labels(),
                delegation.result(),
                delegation.error());
    }

    @ParameterizedTest(name = "{1} from {0}")
    @MethodSource("everyMoveFromEveryStatus")
    void movesWhereTheStateMachineAllowsItAndElseRefusesAndStaysAsItWas(DelegationStatus from, Move move) {
        Delegation delegation = DelegationFixture.in(from);
        List<@Nullable Object> before = stateOf(delegation);

        if (from.successors().contains(move.to())) {
            DelegationEvent event = move.method().apply(delegation);

            assertEquals(move.to(), delegation.status());
            assertEquals(from, event.from());
            assertEquals(move.to(), event.to());
            assertEquals(EventKind.TRANSITION, event.kind());
            assertEquals(NOW, delegation.updatedAt());
        } else {
            InvalidTransitionException refusal = assertThrows(
                    InvalidTransitionException.class, () -> move.method().apply(delegation));

            assertEquals(ErrorCode.INVALID_TRANSITION, refusal.code());
            assertEquals(from.wireName(), refusal.fields().get("delegationStatus"));
            assertEquals(before, stateOf(delegation), "a refused move left something behind");
        }
    }

    @ParameterizedTest(name = "{1} from {0}")
    @MethodSource("everyMoveFromEveryStatus")
    void whateverEndsTheAttemptAfterItsCancellationWasAskedForIsACancellation(DelegationStatus from, Move move) {
        Instant cancelBy = NOW.plus(Duration.ofMinutes(10));
        Delegation delegation = DelegationFixture.cancellationAsked(from, cancelBy);
        if (!from.isInFlight() || move.to() == IN_PROGRESS) {
            return;
        }

        DelegationEvent event = move.method().apply(delegation);

        assertEquals(CANCELLED, delegation.status());
        assertEquals(CANCELLED, event.to());
        assertEquals(Reason.CANCELLED, delegation.reason());
        assertEquals(Reason.CANCELLED, event.reason());
        assertNull(delegation.retryable());
        assertEquals(NOW, delegation.finishedAt());
        assertEquals(Optional.empty(), delegation.dueAt());
        assertEquals(0, delegation.requeueCount(), "a cancellation costs no budget");
    }

    @Test
    void aResultThatComesAfterCancellationWasAskedForIsKept() {
        Delegation delegation = DelegationFixture.cancellationAsked(IN_PROGRESS, LATER);

        delegation.complete(Reason.AGENT_REPORTED, "{\"r\":1}", EVIDENCE, NOW);

        assertEquals(CANCELLED, delegation.status());
        assertEquals("{\"r\":1}", delegation.result());
    }

    @Test
    void aLossAfterCancellationWasAskedForKeepsWhatWentWrongAsItsCause() {
        Delegation delegation = DelegationFixture.cancellationAsked(IN_PROGRESS, LATER);

        delegation.lose(Aftermath.REQUEUED, staleBeat(), LEASE, LATER, EVIDENCE, NOW);

        assertEquals(CANCELLED, delegation.status());
        assertEquals(Reason.HEARTBEAT_STALE, delegation.cause());
    }

    @Test
    void beginningDoesNotEndACancellationThatWasAskedFor() {
        Delegation delegation = DelegationFixture.cancellationAsked(DISPATCHED, LATER);

        delegation.begin(EVIDENCE, NOW);

        assertEquals(IN_PROGRESS, delegation.status());
        assertEquals(LATER, delegation.cancelBy());
        assertEquals(Optional.of(LATER), delegation.dueAt());
    }

    @Test
    void aDirectOneIsDispatchedUnderItsFirstEpoch() {
        Delegation delegation = DelegationFixture.registered(DelegationFixture.direct());

        assertEquals(DISPATCHED, delegation.status());
        assertEquals(1, delegation.epoch());
        assertNull(delegation.availableAt());
        assertNull(delegation.startedAt());
        assertEquals(REGISTERED, delegation.createdAt());
        assertEquals(REGISTERED, delegation.updatedAt());
        assertEquals(Optional.of(DEADLINE), delegation.dueAt());
    }

    @Test
    void anyOtherIsQueuedWithoutAnEpoch() {
        Delegation delegation = DelegationFixture.registered(DelegationFixture.queued(null));

        assertEquals(QUEUED, delegation.status());
        assertEquals(0, delegation.epoch());
        assertEquals(REGISTERED, delegation.availableAt());
        assertEquals(Optional.of(DEADLINE), delegation.dueAt());
    }

    @Test
    void saysThatItWasRegistered() {
        Delegation direct = DelegationFixture.registered(DelegationFixture.direct());
        Delegation queued = DelegationFixture.registered(DelegationFixture.queued(null));

        DelegationEvent ofDirect = direct.registered(EVIDENCE);
        DelegationEvent ofQueued = queued.registered(EVIDENCE);

        assertEquals(EventKind.REGISTERED, ofDirect.kind());
        assertNull(ofDirect.from());
        assertEquals(DISPATCHED, ofDirect.to());
        assertEquals(1L, ofDirect.epoch());
        assertEquals(REGISTERED, ofDirect.at());
        assertEquals(QUEUED, ofQueued.to());
        assertNull(ofQueued.epoch());
    }

    @Test
    void itsQueueTimeoutCountsFromWhenItCanBeClaimed() {
        Instant availableAt = REGISTERED.plus(Duration.ofHours(1));

        Delegation delegation =
                DelegationFixture.registered(DelegationFixture.queued(Duration.ofMinutes(5)), DEADLINE, availableAt);

        assertEquals(Optional.of(availableAt.plus(Duration.ofMinutes(5))), delegation.dueAt());
    }

    @Test
    void aQueueTimeoutAfterTheDeadlineDoesNotCount() {
        Delegation delegation = DelegationFixture.registered(DelegationFixture.queued(Duration.ofDays(2)));

        assertEquals(Optional.of(DEADLINE), delegation.dueAt());
    }

    @Test
    void rememberWhenAnAgentFirstBegan() {
        Delegation delegation = DelegationFixture.in(DISPATCHED);

        DelegationEvent event = delegation.begin(EVIDENCE, NOW);

        assertEquals(NOW, delegation.startedAt());
        assertEquals(NOW, event.at());
        assertEquals("agent:a-1", event.actor());
        assertNull(delegation.reason());
        assertNull(delegation.finishedAt());
        assertEquals(Optional.of(DEADLINE), delegation.dueAt());
    }

    @Test
    void isDoneWithItsResultAndWithoutAnEarlierError() {
        // given one that was stuck, with an error that an agent had reported
        Delegation delegation = DelegationFixture.in(IN_PROGRESS);
        delegation.lose(Aftermath.STUCK, staleBeat(), LEASE, NOW, EVIDENCE, NOW);

        // when its agent reports after all
        delegation.complete(Reason.AGENT_REPORTED, "{\"r\":1}", EVIDENCE, LATER);

        // then it is done; what had gone wrong stays known as its cause
        assertEquals(COMPLETED, delegation.status());
        assertEquals(Reason.AGENT_REPORTED, delegation.reason());
        assertEquals(Reason.HEARTBEAT_STALE, delegation.cause());
        assertEquals("{\"r\":1}", delegation.result());
        assertNull(delegation.error());
        assertNull(delegation.retryable());
        assertEquals(LATER, delegation.finishedAt());
        assertEquals(Optional.empty(), delegation.dueAt());
    }

    @Test
    void isStuckWithReasonAndCauseButNotOver() {
        Delegation delegation = DelegationFixture.in(IN_PROGRESS);

        DelegationEvent event = delegation.lose(Aftermath.STUCK, staleBeat(), LEASE, LATER, EVIDENCE, NOW);

        assertEquals(Reason.HEARTBEAT_STALE, delegation.reason());
        assertEquals(Reason.HEARTBEAT_STALE, delegation.cause());
        assertEquals(Reason.HEARTBEAT_STALE, event.reason());
        assertEquals(true, delegation.retryable());
        assertNull(delegation.finishedAt());
        assertEquals(1, delegation.epoch());
        assertEquals(Optional.of(DEADLINE), delegation.dueAt(), "a deadline still ends it");
    }

    @Test
    void failsWithTheCauseAsItsReasonWhereThereIsNoOtherAttempt() {
        Delegation delegation = DelegationFixture.in(IN_PROGRESS);

        delegation.lose(Aftermath.FAILED, new Mishap(Reason.AGENT_REPORTED, false, ERROR), LEASE, LATER, EVIDENCE, NOW);

        assertEquals(Reason.AGENT_REPORTED, delegation.reason());
        assertEquals(Reason.AGENT_REPORTED, delegation.cause());
        assertEquals(false, delegation.retryable());
        assertEquals(ERROR, delegation.error());
        assertEquals(NOW, delegation.finishedAt());
        assertEquals(Optional.empty(), delegation.dueAt());
    }

    @Test
    void isADeadLetterBesideItsCause() {
        Delegation pointless = DelegationFixture.in(IN_PROGRESS);
        Delegation exhausted = DelegationFixture.in(IN_PROGRESS);

        pointless.lose(Aftermath.NOT_RETRYABLE, staleBeat(), LEASE, LATER, EVIDENCE, NOW);
        exhausted.lose(Aftermath.RETRIES_EXHAUSTED, staleBeat(), LEASE, LATER, EVIDENCE, NOW);

        assertEquals(Reason.NOT_RETRYABLE, pointless.reason());
        assertEquals(Reason.HEARTBEAT_STALE, pointless.cause());
        assertEquals(false, pointless.retryable());
        assertEquals(Reason.RETRIES_EXHAUSTED, exhausted.reason());
        assertEquals(Reason.HEARTBEAT_STALE, exhausted.cause());
        assertEquals(true, exhausted.retryable());
    }

    @Test
    void isQueuedAgainAsTheSameOneAtTheCostOfItsBudget() {
        Delegation delegation = DelegationFixture.registered(
                DelegationFixture.terms("a-1", "q", Recovery.REQUEUE, 3, Duration.ofMinutes(5)));
        delegation.begin(EVIDENCE, REGISTERED.plusSeconds(1));

        DelegationEvent event = delegation.lose(Aftermath.REQUEUED, staleBeat(), LEASE, LATER, EVIDENCE, NOW);

        assertEquals(QUEUED, delegation.status());
        assertEquals(1, delegation.requeueCount());
        assertEquals(LATER, delegation.availableAt());
        assertNull(delegation.reason());
        assertEquals(Reason.HEARTBEAT_STALE, delegation.cause());
        assertEquals(Reason.HEARTBEAT_STALE, event.cause());
        assertEquals(ERROR, delegation.error());
        assertNull(delegation.finishedAt());
        assertEquals(1, delegation.epoch(), "the last epoch is kept");
        assertEquals(REGISTERED, delegation.createdAt());
        assertEquals(REGISTERED.plusSeconds(1), delegation.startedAt());
        assertEquals(
                Optional.of(LATER.plus(Duration.ofMinutes(5))),
                delegation.dueAt(),
                "its queue timeout counts from when it can be claimed again");
    }

    @Test
    void tellsTheNextAttemptAboutTheLast() {
        Delegation lost = DelegationFixture.in(IN_PROGRESS);
        Delegation released = DelegationFixture.in(IN_PROGRESS);

        lost.lose(Aftermath.REQUEUED, staleBeat(), LEASE, LATER, EVIDENCE, NOW);
        released.release(LEASE, EVIDENCE, NOW);

        String told =
                "{\"epoch\":1,\"agent\":\"a-1\",\"effect\":\"non_idempotent\",\"progress\":0.5,\"note\":\"half way\"";
        assertEquals(told + ",\"cause\":\"heartbeat_stale\"}", lost.previous());
        assertEquals(told + "}", released.previous());
    }

    @ParameterizedTest
    @EnumSource
    void itsEndCanBeAskedForWhileItIsInFlight(DelegationStatus status) {
        Delegation delegation = DelegationFixture.in(status);
        List<@Nullable Object> before = stateOf(delegation);

        if (status.isInFlight()) {
            DelegationEvent event = delegation.askCancel(LATER, EVIDENCE, NOW);

            assertEquals(status, delegation.status());
            assertEquals(LATER, delegation.cancelBy());
            assertEquals(Optional.of(LATER), delegation.dueAt());
            assertEquals(NOW, delegation.updatedAt());
            assertNull(delegation.reason());
            assertEquals(EventKind.CANCEL_REQUESTED, event.kind());
            assertNull(event.to());
        } else {
            assertThrows(InvalidTransitionException.class, () -> delegation.askCancel(LATER, EVIDENCE, NOW));
            assertEquals(before, stateOf(delegation));
        }
    }

    @Test
    void hasABudgetForAsManyRequeuesAsAgreed() {
        Delegation none = DelegationFixture.registered(DelegationFixture.terms("a-1", "q", Recovery.REQUEUE, 0, null));
        Delegation one = DelegationFixture.registered(DelegationFixture.terms("a-1", "q", Recovery.REQUEUE, 1, null));

        assertFalse(none.hasBudget());
        assertTrue(one.hasBudget());
        one.lose(Aftermath.REQUEUED, staleBeat(), LEASE, LATER, EVIDENCE, NOW);
        assertFalse(one.hasBudget());
    }

    @Test
    void aReleaseCostsNothingAndForgetsNothing() {
        Delegation delegation = DelegationFixture.in(IN_PROGRESS);

        DelegationEvent event = delegation.release(LEASE, EVIDENCE, NOW);

        assertEquals(QUEUED, delegation.status());
        assertEquals(0, delegation.requeueCount());
        assertEquals(NOW, delegation.availableAt());
        assertNull(delegation.reason());
        assertNull(delegation.cause());
        assertEquals(QUEUED, event.to());
    }

    @Test
    void oneThatIsStuckIsNeverPutBack() {
        Delegation delegation = DelegationFixture.in(IN_PROGRESS);
        assertEquals(Recovery.REQUEUE, delegation.recoveryNow());

        delegation.lose(Aftermath.STUCK, staleBeat(), LEASE, LATER, EVIDENCE, NOW);

        assertEquals(Recovery.NONE, delegation.recoveryNow());
    }

    @Test
    void isGivenUpWithTheReasonAsItsCause() {
        Delegation delegation = DelegationFixture.in(STUCK);

        delegation.giveUp(Reason.DEADLINE_EXCEEDED, true, ERROR, EVIDENCE, NOW);

        assertEquals(FAILED, delegation.status());
        assertEquals(Reason.DEADLINE_EXCEEDED, delegation.reason());
        assertEquals(Reason.DEADLINE_EXCEEDED, delegation.cause());
        assertEquals(true, delegation.retryable());
        assertEquals(ERROR, delegation.error());
        assertEquals(NOW, delegation.finishedAt());
    }

    @ParameterizedTest
    @EnumSource(names = {"OPERATOR", "SUPERSEDED"})
    void whatPeopleDecideDoesNotHideWhatWentWrongBefore(Reason reason) {
        Delegation stuck = DelegationFixture.in(STUCK);
        Delegation healthy = DelegationFixture.in(IN_PROGRESS);

        stuck.giveUp(reason, null, null, EVIDENCE, NOW);
        healthy.giveUp(reason, null, null, EVIDENCE, NOW);

        assertEquals(reason, stuck.reason());
        assertEquals(Reason.HEARTBEAT_STALE, stuck.cause());
        assertEquals(reason, healthy.cause());
    }

    @Test
    void isCalledOff() {
        Delegation delegation = DelegationFixture.in(QUEUED);

        delegation.cancel(null, EVIDENCE, NOW);

        assertEquals(CANCELLED, delegation.status());
        assertEquals(Reason.CANCELLED, delegation.reason());
        assertEquals(Reason.CANCELLED, delegation.cause());
        assertNull(delegation.retryable());
        assertNull(delegation.result());
        assertEquals(NOW, delegation.finishedAt());
        assertEquals(Optional.empty(), delegation.dueAt());
    }

    @ParameterizedTest
    @EnumSource
    void canBeEditedWhileItIsOpen(DelegationStatus status) {
        Delegation delegation = DelegationFixture.in(status);
        List<@Nullable Object> before = stateOf(delegation);
        Instant deadlineAt = DEADLINE.plus(Duration.ofHours(1));

        if (status.isFinal()) {
            assertThrows(
                    InvalidTransitionException.class,
                    () -> delegation.edit(deadlineAt, 9, Map.of("team", "red"), EVIDENCE, NOW));
            assertEquals(before, stateOf(delegation));
        } else {
            DelegationEvent event = delegation.edit(deadlineAt, 9, Map.of("team", "red"), EVIDENCE, NOW);

            assertEquals(status, delegation.status());
            assertEquals(deadlineAt, delegation.deadlineAt());
            assertEquals(Optional.of(deadlineAt), delegation.dueAt());
            assertEquals(9, delegation.priority());
            assertEquals(Map.of("team", "red"), delegation.labels());
            assertEquals(NOW, delegation.updatedAt());
            assertEquals(EventKind.OPERATOR, event.kind());
            assertNull(event.to());
        }
    }

    @Test
    void anEditLeavesAloneWhatItDoesNotName() {
        Delegation delegation = DelegationFixture.in(IN_PROGRESS);

        delegation.edit(null, null, null, EVIDENCE, NOW);

        assertEquals(DEADLINE, delegation.deadlineAt());
        assertEquals(5, delegation.priority());
        assertEquals(Map.of("team", "blue"), delegation.labels());
    }

    @ParameterizedTest(name = "{1} from {0}")
    @MethodSource("everyMoveFromEveryStatus")
    void aReasonStandsExactlyWhereItIsOverOrStuckAndADueTimeExactlyWhereItIsOpen(DelegationStatus from, Move move) {
        if (!from.successors().contains(move.to())) {
            return;
        }
        Delegation delegation = DelegationFixture.in(from);

        DelegationEvent event = move.method().apply(delegation);

        DelegationStatus status = delegation.status();
        assertEquals(status.isFinal() || status == STUCK, delegation.reason() != null);
        assertEquals(status.isFinal(), delegation.finishedAt() != null);
        assertEquals(status.isFinal(), delegation.dueAt().isEmpty());
        assertEquals(delegation.reason(), event.reason());
        assertEquals(delegation.cause(), event.cause());
    }
}
