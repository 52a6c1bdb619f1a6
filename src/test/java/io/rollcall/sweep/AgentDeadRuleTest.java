package io.rollcall.sweep;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.rollcall.delegation.Aftermath;
import io.rollcall.delegation.DelegationStatus;
import io.rollcall.delegation.Reason;
import io.rollcall.delegation.Recovery;
import io.rollcall.liveness.DeadHolder;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class AgentDeadRuleTest {
    private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
    private static final DeadHolder DEAD = new DeadHolder(3, "process", NOW.minusSeconds(1));

    private final RuleBook book = Rules.all();

    @ParameterizedTest
    @EnumSource(names = {"DISPATCHED", "IN_PROGRESS"})
    void oneInFlightWhoseAgentIsDeadIsLost(DelegationStatus status) {
        DelegationSnapshot delegation =
                Rules.snapshot(status).staleAt(NOW.plusSeconds(600)).dead(DEAD).build();

        assertEquals(
                Optional.of(new RuleBook.Decision(
                        RuleName.AGENT_DEAD, DEAD.countedAt(), new Verdict.Lost(Aftermath.STUCK, Reason.AGENT_DEAD))),
                book.decide(delegation, NOW, Hearing.GOOD));
    }

    @ParameterizedTest
    @EnumSource(names = {"QUEUED", "STUCK"})
    void oneThatNobodyIsAtIsNot(DelegationStatus status) {
        DelegationSnapshot delegation = Rules.snapshot(status).dead(DEAD).build();

        assertEquals(Optional.empty(), book.decide(delegation, NOW, Hearing.GOOD));
    }

    @ParameterizedTest
    @CsvSource({
        "NONE, true, false, STUCK",
        "NONE, false, false, STUCK",
        "REQUEUE, true, false, REQUEUED",
        "REQUEUE, false, false, RETRIES_EXHAUSTED",
        "REQUEUE, true, true, NOT_RETRYABLE"
    })
    void whatBecomesOfItIsAsAfterASilence(
            Recovery recovery, boolean hasBudget, boolean nonIdempotent, Aftermath expected) {
        Rules.Builder builder = Rules.snapshot(DelegationStatus.IN_PROGRESS)
                .recovery(recovery)
                .hasBudget(hasBudget)
                .staleAt(NOW.plusSeconds(600))
                .dead(DEAD);

        Verdict verdict = book.decide((nonIdempotent ? builder.nonIdempotent() : builder).build(), NOW, Hearing.GOOD)
                .orElseThrow()
                .verdict();

        assertEquals(new Verdict.Lost(expected, Reason.AGENT_DEAD), verdict);
    }

    @Test
    void deathIsNamedWhereItsSilenceWouldDoAsWell() {
        DelegationSnapshot delegation = Rules.snapshot(DelegationStatus.IN_PROGRESS)
                .staleAt(NOW.minusSeconds(60))
                .dead(DEAD)
                .build();

        assertEquals(
                Optional.of(RuleName.AGENT_DEAD),
                book.decide(delegation, NOW, Hearing.GOOD).map(RuleBook.Decision::rule));
        assertEquals(
                Optional.of(RuleName.STALE_HEARTBEAT),
                Rules.without(RuleName.AGENT_DEAD)
                        .decide(delegation, NOW, Hearing.GOOD)
                        .map(RuleBook.Decision::rule));
    }

    @Test
    void aDeadlineThatHasComeWins() {
        DelegationSnapshot delegation = Rules.snapshot(DelegationStatus.IN_PROGRESS)
                .deadlineAt(NOW)
                .dead(DEAD)
                .build();

        assertEquals(
                Optional.of(RuleName.DEADLINE),
                book.decide(delegation, NOW, Hearing.GOOD).map(RuleBook.Decision::rule));
    }

    @ParameterizedTest
    @EnumSource(names = {"NONE", "DOUBTFUL"})
    void isHeldBackWhereAgentsCannotBeHeard(Hearing hearing) {
        DelegationSnapshot delegation = Rules.snapshot(DelegationStatus.IN_PROGRESS)
                .staleAt(NOW.plusSeconds(600))
                .dead(DEAD)
                .build();

        assertEquals(Optional.empty(), book.decide(delegation, NOW, hearing));
    }
}
