package io.rollcall.delegation;

/** What becomes of a delegation whose attempt went wrong: the one place where recovery, budget and kind of failure meet. */
public enum Aftermath {
    /** An operator has to look. */
    STUCK,
    /** It failed, with the cause as its reason. */
    FAILED,
    /** It is queued again. */
    REQUEUED,
    /** Dead letter: trying again makes no sense. */
    NOT_RETRYABLE,
    /** Dead letter: its budget is spent. */
    RETRIES_EXHAUSTED;

    /**
     * Decides by recovery.
     *
     * @param silent whether the agent merely was not heard of any more, so that nobody knows how far it came
     * @param retryable whether another attempt may succeed, and does no harm
     * @param hasBudget whether it may be queued once more
     */
    public static Aftermath of(Recovery recovery, boolean silent, boolean retryable, boolean hasBudget) {
        return switch (recovery) {
            case NONE -> silent ? STUCK : FAILED;
            case REQUEUE -> !retryable ? NOT_RETRYABLE : hasBudget ? REQUEUED : RETRIES_EXHAUSTED;
        };
    }
}
