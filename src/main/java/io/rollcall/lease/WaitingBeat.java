package io.rollcall.lease;

import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * What waits in the queue of heartbeats.
 *
 * @param beat null where it is no beat but only work for a writer
 * @param note whether it is the note that beats are being accepted
 * @param answer told the renewal, or nothing where the ordinary path has to decide, or why it was refused
 */
record WaitingBeat(
        @Nullable Beat beat, boolean note, BiConsumer<@Nullable Renewal, @Nullable BeatsRefusedException> answer) {

    static WaitingBeat of(Beat beat, BiConsumer<@Nullable Renewal, @Nullable BeatsRefusedException> answer) {
        return new WaitingBeat(beat, false, answer);
    }

    static WaitingBeat noteOfAcceptance() {
        return new WaitingBeat(null, true, (renewal, refusal) -> {});
    }

    /** Only wakes a writer up. */
    static WaitingBeat wakeUp() {
        return new WaitingBeat(null, false, (renewal, refusal) -> {});
    }

    /** Answers it: with its renewal, or with nothing. */
    void answer(@Nullable Renewal renewal) {
        answer.accept(renewal, null);
    }

    void refuse(BeatsRefusedException refusal) {
        answer.accept(null, refusal);
    }
}
