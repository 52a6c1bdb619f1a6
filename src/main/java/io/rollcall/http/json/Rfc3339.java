package io.rollcall.http.json;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Times as the API has them: read with any offset, written in UTC with microseconds, as exact as the database. */
public final class Rfc3339 {
    /** What a text that is no such time is told. */
    public static final String EXPECTATION =
            "must be a time as in RFC 3339, such as 2026-01-02T03:04:05.123456Z, of the years 0001 to 9999";

    private static final Pattern SHAPE = Pattern.compile(
            "(\\d{4}-\\d{2}-\\d{2})[Tt](\\d{2}:\\d{2}:\\d{2})(?:\\.(\\d{1,30}))?([Zz]|[+-]\\d{2}:\\d{2})");

    private static final int NANO_DIGITS = 9;
    private static final int WRITTEN_LENGTH = "2026-01-02T03:04:05.123456Z".length();
    private static final int NANOS_A_MICRO = 1_000;

    private Rfc3339() {}

    /** The time of that text, cut to microseconds; empty if it is none. */
    public static Optional<Instant> parse(String text) {
        Matcher shape = SHAPE.matcher(text);
        if (!shape.matches()) {
            return Optional.empty();
        }
        String fraction = shape.group(3) == null ? "0" : shape.group(3);
        String nanos = fraction.substring(0, Math.min(fraction.length(), NANO_DIGITS));
        try {
            OffsetDateTime time = OffsetDateTime.of(
                    LocalDateTime.parse(shape.group(1) + "T" + shape.group(2) + "." + nanos),
                    ZoneOffset.of(shape.group(4).toUpperCase(Locale.ROOT)));
            return Optional.of(time.toInstant().truncatedTo(ChronoUnit.MICROS)).filter(Rfc3339::isInRange);
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }

    /** In UTC, with exactly six digits after the second. By hand: there are two in the answer to each heartbeat. */
    public static String format(Instant time) {
        LocalDateTime utc = LocalDateTime.ofEpochSecond(time.getEpochSecond(), time.getNano(), ZoneOffset.UTC);
        StringBuilder text = new StringBuilder(WRITTEN_LENGTH);
        text.append(utc.toLocalDate()).append('T');
        padded(text, utc.getHour(), 10).append(':');
        padded(text, utc.getMinute(), 10).append(':');
        padded(text, utc.getSecond(), 10).append('.');
        return padded(text, utc.getNano() / NANOS_A_MICRO, 100_000).append('Z').toString();
    }

    /** With zeros before it, so that the first digit counts {@code unit}. */
    private static StringBuilder padded(StringBuilder text, int number, int unit) {
        for (int above = unit; above > 1 && number < above; above /= 10) {
            text.append('0');
        }
        return text.append(number);
    }

    private static boolean isInRange(Instant time) {
        int year = time.atOffset(ZoneOffset.UTC).getYear();
        return year >= 1 && year <= 9999;
    }
}
