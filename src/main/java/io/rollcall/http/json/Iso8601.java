package io.rollcall.http.json;

import java.time.DateTimeException;
import java.time.Duration;
import java.util.Optional;

/** Durations as the API has them: {@code PT10M}, {@code P1DT2H}. Months and years have no fixed length and are none. */
public final class Iso8601 {
    /** What a text that is no such duration is told. */
    public static final String EXPECTATION = "must be a duration as in ISO 8601, such as PT10M or P1D";

    private static final int MAX_LENGTH = 64;

    private Iso8601() {}

    /** The duration of that text; empty if it is none. */
    public static Optional<Duration> parse(String text) {
        if (text.length() > MAX_LENGTH) {
            return Optional.empty();
        }
        try {
            return Optional.of(Duration.parse(text));
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }
}
