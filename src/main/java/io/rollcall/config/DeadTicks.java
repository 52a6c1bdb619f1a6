package io.rollcall.config;

import org.eclipse.microprofile.config.Config;

/** How often in a row a probe has to say dead, once an interval, before it is believed: of agents and of named leases. */
public final class DeadTicks {
    private static final String SETTING = "rollcall.sweeper.dead-ticks";
    private static final int DEFAULT = 3;

    private DeadTicks() {}

    /**
     * What is set, else 3.
     *
     * @throws IllegalArgumentException if it is below 1: everybody would be dead
     */
    public static int of(Config config) {
        int ticks = config.getOptionalValue(SETTING, Integer.class).orElse(DEFAULT);
        if (ticks < 1) {
            throw new IllegalArgumentException(SETTING + " must be at least 1, not " + ticks);
        }
        return ticks;
    }
}
