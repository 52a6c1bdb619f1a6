package io.rollcall.resource;

import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A named lock as it was read.
 *
 * @param name of what it locks
 * @param epoch the fencing token: higher than every one that this name has had before
 * @param holder who acquired it
 * @param requestId of the acquisition
 * @param ttl how long a renewal lasts
 * @param acquiredAt when it was acquired
 * @param renewedAt when it was last renewed; at first when it was acquired
 * @param expiresAt when it becomes free unless it is renewed; after an outage of ours not before a full {@code ttl} has
 *     passed
 * @param delegationId the delegation it is tied to
 * @param delegationEpoch which attempt of that
 * @param whyFree why it is free; null while it is held
 */
public record ResourceLease(
        String name,
        long epoch,
        String holder,
        @Nullable String requestId,
        Duration ttl,
        Instant acquiredAt,
        Instant renewedAt,
        Instant expiresAt,
        @Nullable UUID delegationId,
        @Nullable Long delegationEpoch,
        @Nullable WhyFree whyFree) {

    /** Whether its holder may rely on it. */
    public boolean isHeld() {
        return whyFree == null;
    }
}
