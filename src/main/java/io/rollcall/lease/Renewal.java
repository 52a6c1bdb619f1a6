package io.rollcall.lease;

import java.time.Duration;
import java.time.Instant;
import java.util.UUID;

/**
 * What a heartbeat that was accepted is answered with.
 *
 * @param delegationId for what
 * @param epoch of the lease
 * @param stuck whether an operator is asked to look although it beats again
 * @param cancelAsked whether the agent is to stop
 * @param staleAt when the lease goes stale unless another beat comes
 * @param leaseTime how long a beat lasts now
 * @param now when it was accepted, by the database's clock
 */
public record Renewal(
        UUID delegationId,
        long epoch,
        boolean stuck,
        boolean cancelAsked,
        Instant staleAt,
        Duration leaseTime,
        Instant now) {}
