package io.rollcall.delegation;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;
import java.util.Optional;

/** Settings for delegations registered without their own, and for their end; read once at start. */
@ConfigMapping(prefix = "rollcall.delegation")
public interface DelegationConfig {
    /** How long after registration one is given up that names no deadline. */
    @WithDefault("PT6H")
    Duration deadline();

    /** How long one attempt may last where the delegation does not say; empty: until its deadline. */
    Optional<Duration> maxRunning();
}
