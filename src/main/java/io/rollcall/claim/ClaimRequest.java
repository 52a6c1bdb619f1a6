package io.rollcall.claim;

import io.rollcall.lease.SelfDescription;
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
 * @param self what the agent says about itself
 */
public record ClaimRequest(
        String queue,
        String agent,
        int max,
        @Nullable Duration leaseTime,
        @Nullable String requestId,
        SelfDescription self) {

    /** Whether there is anything to keep about the agent's attempt. */
    boolean describesItself() {
        return requestId != null || self.isGiven();
    }
}
