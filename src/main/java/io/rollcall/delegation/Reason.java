package io.rollcall.delegation;

import java.util.Arrays;
import java.util.Locale;

/**
 * Why a delegation ended or got stuck ({@code reason}), and what last went wrong with it ({@code cause}). Both use these
 * words; the last two are reasons only.
 */
public enum Reason {
    /** Its agent said so. */
    AGENT_REPORTED,
    /** Its deadline came. */
    DEADLINE_EXCEEDED,
    /** Nobody claimed it in time. */
    QUEUE_TIMEOUT,
    /** Its agent stopped beating. */
    HEARTBEAT_STALE,
    /** A probe found its agent dead. */
    AGENT_DEAD,
    /** One attempt lasted too long. */
    MAX_RUNNING_EXCEEDED,
    /** The run ended with an error and nobody finalized it. */
    FINALIZATION_TIMEOUT,
    /** The gate did not accept the work. */
    GATE_REJECTED,
    /** It was called off. */
    CANCELLED,
    /** A successor took its place. */
    SUPERSEDED,
    /** An operator closed it. */
    OPERATOR,
    /** Dead letter: trying again makes no sense. */
    NOT_RETRYABLE,
    /** Dead letter: its budget is spent. */
    RETRIES_EXHAUSTED,
    /** A word that this version does not know; another version wrote it. */
    UNKNOWN;

    /** The word in the API and in the database. */
    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Whether a failure for this reason is a dead letter. */
    public boolean isDeadLetter() {
        return this == NOT_RETRYABLE || this == RETRIES_EXHAUSTED;
    }

    /** The reason of that word, {@link #UNKNOWN} if there is none. */
    public static Reason ofWireName(String word) {
        return Arrays.stream(values())
                .filter(reason -> reason.wireName().equals(word))
                .findFirst()
                .orElse(UNKNOWN);
    }
}
