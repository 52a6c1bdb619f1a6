package io.rollcall.agent;

import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What one agent holds.
 *
 * @param agent its name
 * @param inFlight how many delegations in flight it holds
 * @param stuck how many stuck ones
 * @param lastHeartbeatAt its last heartbeat for any of them; null if it never beat
 * @param holds the first 100 of them, longest held first
 */
public record AgentHoldings(
        String agent, long inFlight, long stuck, @Nullable Instant lastHeartbeatAt, List<UUID> holds) {}
