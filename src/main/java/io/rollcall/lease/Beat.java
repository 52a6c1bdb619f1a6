package io.rollcall.lease;

import java.time.Duration;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One heartbeat.
 *
 * @param delegationId for what
 * @param epoch under which epoch; null where no other attempt can ever be
 * @param progress 0 to 1; null leaves it as it is
 * @param note up to 200 characters; null leaves it as it is
 * @param nonIdempotent whether the agent now does what must not be done twice; null leaves it as it is
 * @param leaseTime a new lease time, which lasts; null leaves it as it is
 * @param agent what the agent says about itself
 */
public record Beat(
        UUID delegationId,
        @Nullable Long epoch,
        @Nullable Double progress,
        @Nullable String note,
        @Nullable Boolean nonIdempotent,
        @Nullable Duration leaseTime,
        SelfDescription agent) {

    /** A sign of life that says nothing else. */
    public static Beat plain(UUID delegationId, @Nullable Long epoch, @Nullable Double progress) {
        return new Beat(delegationId, epoch, progress, null, null, null, SelfDescription.NONE);
    }

    /** Whether both can be written as one: the same lease under the same epoch. */
    boolean isForTheSameHoldAs(Beat other) {
        return delegationId.equals(other.delegationId)
                && (epoch == null ? other.epoch == null : epoch.equals(other.epoch));
    }

    /** This beat and a later one for the same hold as one: what the later one says counts. */
    Beat followedBy(Beat later) {
        return new Beat(
                delegationId,
                epoch,
                later.progress == null ? progress : later.progress,
                later.note == null ? note : later.note,
                later.nonIdempotent == null ? nonIdempotent : later.nonIdempotent,
                later.leaseTime == null ? leaseTime : later.leaseTime,
                agent.followedBy(later.agent));
    }
}
