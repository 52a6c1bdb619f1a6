package io.rollcall.lease;

import java.time.Duration;
import java.util.UUID;

/**
 * A lease about to be acquired by an agent that has not beaten yet: its free pass.
 *
 * @param delegationId on what
 * @param epoch the fencing token
 * @param holder which agent
 * @param leaseTime how long a heartbeat will last
 * @param sole whether no other attempt can ever be
 */
public record NewLease(UUID delegationId, long epoch, String holder, Duration leaseTime, boolean sole) {}
