package io.rollcall.retry;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;

/** Settings of requeues, read once at start. */
@ConfigMapping(prefix = "rollcall.retry")
public interface RetryConfig {
    /** How often a delegation registered without a budget may be queued again, 0 to 100. */
    @WithDefault("3")
    int maxRequeues();

    /** The wait before the first requeue after a reported failure. */
    @WithDefault("PT30S")
    Duration backoffBase();

    /** The longest such wait, before jitter. */
    @WithDefault("PT10M")
    Duration backoffCap();
}
