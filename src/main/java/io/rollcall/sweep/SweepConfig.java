package io.rollcall.sweep;

import io.rollcall.config.DeadTicks;
import io.rollcall.config.Timing;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.eclipse.microprofile.config.Config;

/** Settings of the sweeper, read once at start. */
@Singleton
public class SweepConfig {
    private static final String PREFIX = "rollcall.sweeper.";

    private final boolean enabled;
    private final Duration interval;
    private final Duration finalizationGrace;
    private final int deadTicks;
    private final double brakeRatio;
    private final int brakeMin;
    private final Duration brakeMaxHold;
    private final int batchSize;
    private final Map<RuleName, Boolean> rules;

    SweepConfig(Config config) {
        enabled = value(config, "enabled", Boolean.class, true);
        interval = Timing.of(
                config, PREFIX + "interval", Optional.of("DELEGATION_SWEEPER_INTERVAL_S"), Duration.ofMinutes(5));
        finalizationGrace = Timing.of(config, PREFIX + "finalization-grace", Optional.empty(), Duration.ofMinutes(5));
        deadTicks = DeadTicks.of(config);
        brakeRatio = value(config, "brake.ratio", Double.class, 0.5);
        brakeMin = value(config, "brake.min", Integer.class, 20);
        brakeMaxHold = Timing.of(config, PREFIX + "brake.max-hold", Optional.empty(), Duration.ofMinutes(10));
        batchSize = value(config, "batch-size", Integer.class, 500);
        rules = Arrays.stream(RuleName.values())
                .collect(Collectors.toMap(
                        Function.identity(),
                        rule -> value(config, "rules." + rule.wireName(), Boolean.class, true),
                        (first, second) -> first,
                        LinkedHashMap::new));
        if (batchSize < 1 || batchSize > 10_000) {
            throw new IllegalArgumentException(PREFIX + "batch-size must be from 1 to 10000, not " + batchSize);
        }
    }

    private static <T> T value(Config config, String name, Class<T> type, T fallback) {
        return config.getOptionalValue(PREFIX + name, type).orElse(fallback);
    }

    /** Whether this replica sweeps by itself. */
    public boolean enabled() {
        return enabled;
    }

    /** The time between two ticks. */
    public Duration interval() {
        return interval;
    }

    /** How long after the last sign of life a run that has ended is left to its finalization. */
    public Duration finalizationGrace() {
        return finalizationGrace;
    }

    /** How often in a row an agent must be found dead. */
    public int deadTicks() {
        return deadTicks;
    }

    /** Above this share of stale leases among those that can go stale, the brake holds back; above 1: never. */
    public double brakeRatio() {
        return brakeRatio;
    }

    /** With fewer stale leases than this the brake never holds back. */
    public int brakeMin() {
        return brakeMin;
    }

    /** How long the brake holds back at most. */
    public Duration brakeMaxHold() {
        return brakeMaxHold;
    }

    /** Delegations judged in one transaction. */
    public int batchSize() {
        return batchSize;
    }

    /** Whether a rule is switched on. */
    public boolean isEnabled(RuleName rule) {
        return Boolean.TRUE.equals(rules.get(rule));
    }

    /** The switch of each rule. */
    public Map<RuleName, Boolean> rules() {
        return rules;
    }
}
