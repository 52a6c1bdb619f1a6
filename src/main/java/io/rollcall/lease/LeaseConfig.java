package io.rollcall.lease;

import io.rollcall.config.Timing;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Optional;
import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** Settings of leases, read once at start. */
@Singleton
public class LeaseConfig {
    private final Duration heartbeatTimeout;
    private final int heartbeatQueue;

    LeaseConfig(
            Config config, @ConfigProperty(name = "rollcall.lease.heartbeat-queue", defaultValue = "20000") int queue) {
        this.heartbeatTimeout = Timing.of(
                config,
                "rollcall.lease.heartbeat-timeout",
                Optional.of("DELEGATION_STUCK_THRESHOLD_S"),
                Duration.ofMinutes(10));
        this.heartbeatQueue = queue;
    }

    /** The lease time where neither the claim, the delegation nor its queue says another; default 10 minutes. */
    public Duration heartbeatTimeout() {
        return heartbeatTimeout;
    }

    /** How many heartbeats may wait before further ones are answered 503; default 20,000. */
    public int heartbeatQueue() {
        return heartbeatQueue;
    }
}
