package io.rollcall.claim;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * An agent asks for work.
 *
 * @param queue out of which queue
 * @param agent who asks
 * @param max how many delegations at most, 1 to 100
 * @param leaseTime how long a heartbeat lasts; null: as each delegation, its queue or the settings say
 * @param requestId the same again gets the same leases while they live; null: every request is another
 * @param instance unique per start of the agent's process
 * @param probe how to find out whether the agent is alive, as JSON
 */
public record ClaimRequest(
        String queue,
        String agent,
        int max,
        @Nullable Duration leaseTime,
        @Nullable String requestId,
        @Nullable String instance,
        @Nullable String probe) {

    /** Whether there is anything to keep about the agent's attempt. */
    boolean describesItself() {
        return requestId != null || instance != null || probe != null;
    }
}
