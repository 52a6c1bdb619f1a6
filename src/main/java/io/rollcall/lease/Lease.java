package io.rollcall.lease;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An agent's hold on a delegation, as read from the database.
 *
 * @param delegationId on what
 * @param epoch the fencing token: grows by one with each acquisition of that delegation
 * @param holder which agent
 * @param acquiredAt when this attempt began
 * @param lastBeatAt the last heartbeat; null before the first
 * @param staleAt when it goes stale unless a heartbeat comes; null where no beat is due yet. The effective time: never
 *     earlier than one lease time after the service came back from an outage
 * @param excusedUntil silence before this is our own fault: one lease time after the service came back from an outage;
 *     null where there was none
 * @param leaseTime how long a heartbeat lasts
 * @param progress 0 to 1, as the agent said last
 * @param note what the agent said last, up to 200 characters
 * @param begun whether its first beat has been accepted
 * @param stuck whether its delegation is stuck
 * @param cancelAsked whether its agent is to stop
 * @param sole whether no other attempt can ever be, so that a beat may leave out the epoch
 * @param nonIdempotent whether the agent is doing what must not be done twice
 */
public record Lease(
        UUID delegationId,
        long epoch,
        String holder,
        Instant acquiredAt,
        @Nullable Instant lastBeatAt,
        @Nullable Instant staleAt,
        @Nullable Instant excusedUntil,
        Duration leaseTime,
        @Nullable Double progress,
        @Nullable String note,
        boolean begun,
        boolean stuck,
        boolean cancelAsked,
        boolean sole,
        boolean nonIdempotent) {

    /** One that was just acquired by a claim: that counts as a beat. */
    public static Lease acquired(
            UUID delegationId, long epoch, String holder, Instant now, Instant staleAt, Duration leaseTime) {
        return new Lease(
                delegationId,
                epoch,
                holder,
                now,
                now,
                staleAt,
                null,
                leaseTime,
                null,
                null,
                false,
                false,
                false,
                false,
                false);
    }

    /** What the agent is doing, as a word: {@code non_idempotent} where it must not be done twice, else {@code none}. */
    public String effect() {
        return nonIdempotent ? "non_idempotent" : "none";
    }

    /** The same with what the agent said last; null leaves it as it is. */
    public Lease saying(@Nullable Double lastProgress, @Nullable String lastNote) {
        return new Lease(
                delegationId,
                epoch,
                holder,
                acquiredAt,
                lastBeatAt,
                staleAt,
                excusedUntil,
                leaseTime,
                lastProgress == null ? progress : lastProgress,
                lastNote == null ? note : lastNote,
                begun,
                stuck,
                cancelAsked,
                sole,
                nonIdempotent);
    }

    /** When the service last came back from an outage; null where there was none. */
    public @Nullable Instant returnedAt() {
        return excusedUntil == null ? null : excusedUntil.minus(leaseTime);
    }

    /** How often the agent is asked to beat: three times a lease time. */
    public Duration heartbeatEvery() {
        return heartbeatEvery(leaseTime);
    }

    /** How often an agent with that lease time is asked to beat. */
    public static Duration heartbeatEvery(Duration leaseTime) {
        return leaseTime.dividedBy(3).truncatedTo(ChronoUnit.MILLIS);
    }
}
