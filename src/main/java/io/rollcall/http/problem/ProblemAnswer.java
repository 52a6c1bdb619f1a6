package io.rollcall.http.problem;

import io.rollcall.error.ErrorCode;
import io.rollcall.error.RefusedException;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A problem on its way out.
 *
 * @param problem what the body says
 * @param headers what goes with it besides the media type
 */
record ProblemAnswer(Problem problem, Map<String, String> headers) {
    static final String RETRY_AFTER = "Retry-After";
    static final String ALLOW = "Allow";

    private static final String CHALLENGE = "WWW-Authenticate";

    /** Adds the headers that this status must have. */
    static ProblemAnswer of(Problem problem) {
        Map<String, String> headers = new LinkedHashMap<>();
        switch (problem.status()) {
            case 401 -> headers.put(CHALLENGE, "Bearer");
            case 429, 503 -> headers.put(RETRY_AFTER, retryAfter(problem));
            default -> {}
        }
        return new ProblemAnswer(problem, headers);
    }

    static ProblemAnswer of(ErrorCode code, String detail) {
        return of(Problem.of(code, detail));
    }

    static ProblemAnswer of(RefusedException refusal) {
        return of(Problem.of(refusal));
    }

    ProblemAnswer with(String header, String value) {
        Map<String, String> all = new LinkedHashMap<>(headers);
        all.put(header, value);
        return new ProblemAnswer(problem, all);
    }

    int status() {
        return problem.status();
    }

    private static String retryAfter(Problem problem) {
        return problem.fields().get(Problem.RETRY_AFTER_S) instanceof Number seconds
                ? Long.toString(Math.max(1, seconds.longValue()))
                : "1";
    }
}
