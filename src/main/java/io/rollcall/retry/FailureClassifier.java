package io.rollcall.retry;

import org.jspecify.annotations.Nullable;

/** Decides what a reported failure means. Pure. */
public final class FailureClassifier {
    private FailureClassifier() {}

    /**
     * The class of a failure: that of its last attempt where it wraps a chain, before its own class and status; without
     * a class that of the HTTP status; without either, unknown.
     */
    public static FailureClass classify(@Nullable ReportedError error) {
        if (error == null) {
            return FailureClass.UNKNOWN;
        }
        if (error.attempts() != null && !error.attempts().isEmpty()) {
            ReportedError.Attempt last = error.attempts().get(error.attempts().size() - 1);
            FailureClass ofLast = classify(last.failureClass(), last.httpStatus());
            if (ofLast != null) {
                return ofLast;
            }
        }
        FailureClass own = classify(error.failureClass(), error.httpStatus());
        return own == null ? FailureClass.UNKNOWN : own;
    }

    /** Whether trying again makes sense: the agent's own word, else that of the class. */
    public static boolean isRetryable(@Nullable ReportedError error) {
        return (error != null && error.retryable() != null)
                ? error.retryable()
                : classify(error).isRetryable();
    }

    private static @Nullable FailureClass classify(@Nullable FailureClass stated, @Nullable Integer httpStatus) {
        if (stated != null) {
            return stated;
        }
        return httpStatus == null ? null : FailureClass.ofHttpStatus(httpStatus);
    }
}
