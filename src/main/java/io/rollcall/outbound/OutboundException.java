package io.rollcall.outbound;

/** A call that brought no answer. The message may be shown to operators; it holds no secret. */
public class OutboundException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final boolean passing;

    /**
     * @param passing whether the same call may bring an answer in a moment
     */
    public OutboundException(String message, boolean passing) {
        super(message, null, false, false); // no stack trace: targets that are away are part of normal work
        this.passing = passing;
    }

    /** Whether the same call may bring an answer in a moment. */
    public boolean isPassing() {
        return passing;
    }
}
