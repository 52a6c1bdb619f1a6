package io.rollcall.resource;

import io.rollcall.config.DeadTicks;
import jakarta.inject.Singleton;
import org.eclipse.microprofile.config.Config;

/** What resource leases share with the sweeper's settings, read once at start. */
@Singleton
class ResourceConfig {
    private final int deadTicks;

    ResourceConfig(Config config) {
        this.deadTicks = DeadTicks.of(config);
    }

    /** How often a probe has to say dead, once an interval, before it is believed. */
    int deadTicks() {
        return deadTicks;
    }
}
