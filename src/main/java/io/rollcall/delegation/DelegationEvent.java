package io.rollcall.delegation;

import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One line of the ledger, as it happened. It gets its number when it is written, under the lock of its delegation.
 *
 * @param delegationId whose history it belongs to
 * @param at when, by the database's clock
 * @param kind what kind of thing happened
 * @param from the status before; null for a registration and where no status changed
 * @param to the status after; null where no status changed
 * @param reason why it ended or got stuck
 * @param cause what went wrong
 * @param epoch under which attempt
 * @param actor who did it, see {@link Evidence}
 * @param rule by which rule of the sweeper
 * @param data the inputs it was judged by, and what was said with it
 */
public record DelegationEvent(
        UUID delegationId,
        Instant at,
        EventKind kind,
        @Nullable DelegationStatus from,
        @Nullable DelegationStatus to,
        @Nullable Reason reason,
        @Nullable Reason cause,
        @Nullable Long epoch,
        String actor,
        @Nullable String rule,
        Map<String, Object> data) {

    /** That an agent has claimed it, under the epoch that it has now. */
    public static DelegationEvent claimed(Delegation delegation, String agent) {
        return new DelegationEvent(
                delegation.id(),
                delegation.updatedAt(),
                EventKind.TRANSITION,
                DelegationStatus.QUEUED,
                DelegationStatus.DISPATCHED,
                null,
                null,
                delegation.epoch(),
                Evidence.ofAgent(agent).actor(),
                null,
                Map.of());
    }
}
