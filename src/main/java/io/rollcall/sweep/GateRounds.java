package io.rollcall.sweep;

import io.rollcall.delegation.DelegationRepository;
import io.rollcall.gate.GateAnswer;
import io.rollcall.gate.GateQuestions;
import io.rollcall.gate.Gates;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * Asks gates about what waits for them: some at a time, side by side, for a limited time a sweep, so that slow ones keep
 * nobody's deadline waiting. The next sweep goes on where this one stopped.
 */
@Singleton
class GateRounds {
    /** Asked side by side; each has its payload in memory meanwhile. */
    private static final int AT_ONCE = 32;

    private static final Duration PER_SWEEP = Duration.ofSeconds(10);

    private final GateQuestions questions;
    private final Gates gates;
    private volatile UUID last = new UUID(0, 0);

    GateRounds(GateQuestions questions, Gates gates) {
        this.questions = questions;
        this.gates = gates;
    }

    /**
     * Asks; one sweep at a time.
     *
     * @param waiting in the order of ids
     * @param settle takes what was answered, a round at a time
     * @return how many are still without an answer
     */
    int ask(List<UUID> waiting, Consumer<List<GateAnswer>> settle) {
        long untilNanos = System.nanoTime() + PER_SWEEP.toNanos();
        List<UUID> turn = fromTheLast(waiting);
        int answered = 0;
        for (int from = 0; from < turn.size() && System.nanoTime() - untilNanos < 0; from += AT_ONCE) {
            List<UUID> round = turn.subList(from, Math.min(from + AT_ONCE, turn.size()));
            List<GateAnswer> answers = gates.askAll(questions.about(round));
            last = round.get(round.size() - 1);
            answered += answers.size();
            settle.accept(answers);
        }
        return waiting.size() - answered;
    }

    private List<UUID> fromTheLast(List<UUID> waiting) {
        List<UUID> turn = new ArrayList<>(waiting.size());
        waiting.stream().filter(this::isAfterLast).forEach(turn::add);
        waiting.stream().filter(id -> !isAfterLast(id)).forEach(turn::add);
        return turn;
    }

    private boolean isAfterLast(UUID id) {
        return DelegationRepository.DATABASE_ORDER.compare(id, last) > 0;
    }
}
