package io.rollcall.outbound;

import jakarta.inject.Singleton;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import org.eclipse.microprofile.config.Config;

/**
 * Secrets that calls may carry, by name: {@code rollcall.secrets.NAME.value}, which goes only to one of
 * {@code rollcall.secrets.NAME.hosts}. Whoever names a target must not be able to have somebody else's secret sent there.
 */
@Singleton
public class Secrets {
    private static final String PREFIX = "rollcall.secrets.";
    private static final String NAME = "[A-Za-z0-9_-]{1,64}";

    private final Config config;

    Secrets(Config config) {
        this.config = config;
    }

    /** What is wrong with sending one to a host; empty if nothing is. */
    public Optional<String> objection(String name, String host) {
        if (!name.matches(NAME) || setting(name, "value").isEmpty()) {
            return Optional.of("names no secret that this service knows");
        }
        return isFor(name, host) ? Optional.empty() : Optional.of("names a secret that is not for this host");
    }

    /**
     * The value of one.
     *
     * @throws OutboundException if it is not known, or not for that host
     */
    public String require(String name, String host) {
        objection(name, host).ifPresent(objection -> {
            throw new OutboundException("header " + objection, false);
        });
        return setting(name, "value").orElseThrow();
    }

    private boolean isFor(String name, String host) {
        return setting(name, "hosts").stream()
                .flatMap(hosts -> Arrays.stream(hosts.split(",", -1)))
                .anyMatch(allowed -> allowed.strip().toLowerCase(Locale.ROOT).equals(host));
    }

    private Optional<String> setting(String name, String field) {
        return config.getOptionalValue(PREFIX + name + "." + field, String.class);
    }
}
