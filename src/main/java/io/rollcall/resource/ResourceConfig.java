package io.rollcall.resource;

import jakarta.inject.Singleton;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** What resource leases share with the sweeper's settings, read once at start. */
@Singleton
class ResourceConfig {
    private final int deadTicks;

    ResourceConfig(@ConfigProperty(name = "rollcall.sweeper.dead-ticks", defaultValue = "3") int deadTicks) {
        this.deadTicks = Math.max(1, deadTicks); // with none, everybody would be dead
    }

    /** How often a probe has to say dead, once an interval, before it is believed. */
    int deadTicks() {
        return deadTicks;
    }
}
