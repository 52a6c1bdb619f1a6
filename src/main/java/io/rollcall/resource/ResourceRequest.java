package io.rollcall.resource;

import java.time.Duration;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Somebody wants a lease, or wants to keep it.
 *
 * @param name of what it locks
 * @param holder who asks
 * @param ttl how long it is to last from now, 1 s to 30 days
 * @param requestId the same again gets the same lease while it is held; null: every request is another
 * @param probe how to find out whether the holder is alive, as JSON; of a renewal, null leaves it as it is
 * @param delegationId the delegation whose attempt it is to end with; null: none
 * @param delegationEpoch which attempt; null: the present one
 */
public record ResourceRequest(
        String name,
        String holder,
        Duration ttl,
        @Nullable String requestId,
        @Nullable String probe,
        @Nullable UUID delegationId,
        @Nullable Long delegationEpoch) {

    /** Whether this is what acquired that lease, asked again. */
    boolean acquired(ResourceLease lease) {
        return requestId != null && requestId.equals(lease.requestId()) && holder.equals(lease.holder());
    }

    /** Whether a renewal leaves that lease tied as it is. */
    boolean leavesTied(ResourceLease lease) {
        return (delegationId == null || delegationId.equals(lease.delegationId()))
                && (delegationEpoch == null || delegationEpoch.equals(lease.delegationEpoch()));
    }
}
