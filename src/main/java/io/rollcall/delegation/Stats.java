package io.rollcall.delegation;

import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How many delegations stand where. Equal to what the lists with the same filters contain.
 *
 * @param byStatus how many in each status, zeros included
 * @param byQueue the same for each queue that has any
 * @param neverBeat dispatched to an agent that has never beaten
 * @param oldestQueuedAt when the oldest that is queued was registered; null if none is
 */
public record Stats(
        Map<DelegationStatus, Long> byStatus,
        Map<String, Map<DelegationStatus, Long>> byQueue,
        long neverBeat,
        @Nullable Instant oldestQueuedAt) {}
