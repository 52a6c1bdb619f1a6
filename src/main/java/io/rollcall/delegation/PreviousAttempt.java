package io.rollcall.delegation;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rollcall.lease.Lease;
import org.jspecify.annotations.Nullable;

/** What the next attempt is told about the last one, so that it need not repeat what was done. */
final class PreviousAttempt {
    private PreviousAttempt() {}

    /** An attempt as its lease showed it last, and why it ended, as JSON; without a cause its agent gave it back. */
    static String of(Lease attempt, @Nullable Outcome outcome, @Nullable Reason cause) {
        ObjectNode previous = JsonNodeFactory.instance.objectNode();
        previous.put("epoch", attempt.epoch());
        previous.put("agent", attempt.holder());
        if (outcome != null) {
            ObjectNode ended = previous.putObject("outcome");
            ended.put("exitCode", outcome.exitCode());
            if (outcome.note() != null) {
                ended.put("note", outcome.note());
            }
            ended.put("at", outcome.at().toString());
        }
        previous.put("effect", attempt.effect());
        if (attempt.progress() != null) {
            previous.put("progress", attempt.progress());
        }
        if (attempt.note() != null) {
            previous.put("note", attempt.note());
        }
        if (cause != null) {
            previous.put("cause", cause.wireName());
        }
        return previous.toString();
    }
}
