package io.rollcall.config;

import io.quarkus.runtime.configuration.DurationConverter;
import java.time.Duration;
import java.util.Optional;
import org.eclipse.microprofile.config.Config;
import org.jboss.logging.Logger;

/**
 * A timing of the sweeper or the leases. A value that is not a positive duration, 30 days at most, falls back to its default with one
 * warning that names it: a typo must not keep the service from starting.
 */
public final class Timing {
    private static final Logger LOG = Logger.getLogger(Timing.class);

    /** The longest duration that the API allows. */
    private static final Duration LONGEST = Duration.ofDays(30);

    private Timing() {}

    /**
     * Reads a timing.
     *
     * @param name of the setting, a duration: ISO-8601, or a number of seconds
     * @param olderName an older name of the same setting, in seconds; counts only where the newer one is not set
     * @param fallback the default
     */
    public static Duration of(Config config, String name, Optional<String> olderName, Duration fallback) {
        Optional<String> value = config.getOptionalValue(name, String.class);
        if (value.isPresent()) {
            return parsed(name, value.get(), fallback);
        }
        return olderName
                .flatMap(older -> config.getOptionalValue(older, String.class)
                        .map(seconds -> parsedSeconds(older, seconds, fallback)))
                .orElse(fallback);
    }

    private static Duration parsed(String name, String value, Duration fallback) {
        try {
            return positive(name, value, DurationConverter.parseDuration(value.strip()), fallback);
        } catch (RuntimeException e) {
            return warned(name, value, fallback);
        }
    }

    private static Duration parsedSeconds(String name, String value, Duration fallback) {
        try {
            return positive(name, value, Duration.ofSeconds(Long.parseLong(value.strip())), fallback);
        } catch (NumberFormatException e) {
            return warned(name, value, fallback);
        }
    }

    private static Duration positive(String name, String value, Duration duration, Duration fallback) {
        boolean sensible = !duration.isNegative() && !duration.isZero() && duration.compareTo(LONGEST) <= 0;
        return !sensible ? warned(name, value, fallback) : duration;
    }

    private static Duration warned(String name, String value, Duration fallback) {
        LOG.warnf(
                "%s is '%s', which is not a positive duration of up to 30 days. Using its default, %s.",
                name, value, fallback);
        return fallback;
    }
}
