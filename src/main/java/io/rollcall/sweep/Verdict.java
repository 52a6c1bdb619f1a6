package io.rollcall.sweep;

import io.rollcall.delegation.Aftermath;
import io.rollcall.delegation.Delegation;
import io.rollcall.delegation.DelegationEvent;
import io.rollcall.delegation.Evidence;
import io.rollcall.delegation.Mishap;
import io.rollcall.delegation.Reason;
import io.rollcall.lease.Lease;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What a rule decides for one delegation. */
sealed interface Verdict {
    /**
     * Makes it happen to the entity.
     *
     * @param again when it may be claimed again; counts only where it is requeued
     */
    DelegationEvent applyTo(
            Delegation delegation, @Nullable Lease lease, Instant again, Evidence evidence, Instant now);

    /** Whether a requeue is to wait as after a reported failure, instead of being claimable at once. */
    default boolean backsOff() {
        return false;
    }

    /**
     * It is given up, whatever its recovery.
     *
     * @param reason why
     * @param errorMessage for people, becomes {@code error.message}; plain text without characters that JSON escapes
     */
    record GivenUp(Reason reason, String errorMessage) implements Verdict {
        @Override
        public DelegationEvent applyTo(
                Delegation delegation, @Nullable Lease lease, Instant again, Evidence evidence, Instant now) {
            String error = "{\"message\":\"" + errorMessage + "\"}";
            return delegation.giveUp(reason, true, error, evidence, now);
        }
    }

    /**
     * Its attempt is lost: nobody knows how far it came, and where it is requeued it can be claimed at once.
     *
     * @param aftermath what becomes of it
     * @param cause what went wrong
     */
    record Lost(Aftermath aftermath, Reason cause) implements Verdict {
        @Override
        public DelegationEvent applyTo(
                Delegation delegation, @Nullable Lease lease, Instant again, Evidence evidence, Instant now) {
            return delegation.lose(aftermath, new Mishap(cause, true, null), lease, again, evidence, now);
        }
    }

    /**
     * Its attempt failed; where it is requeued, then after the pause that follows a reported failure.
     *
     * @param aftermath what becomes of it
     * @param mishap what went wrong
     */
    record Failed(Aftermath aftermath, Mishap mishap) implements Verdict {
        @Override
        public DelegationEvent applyTo(
                Delegation delegation, @Nullable Lease lease, Instant again, Evidence evidence, Instant now) {
            return delegation.lose(aftermath, mishap, lease, again, evidence, now);
        }

        @Override
        public boolean backsOff() {
            return true;
        }
    }

    /** It counts as done: its run succeeded. */
    record Completed() implements Verdict {
        @Override
        public DelegationEvent applyTo(
                Delegation delegation, @Nullable Lease lease, Instant again, Evidence evidence, Instant now) {
            return delegation.completeAsLeft(evidence, now);
        }
    }

    /** It is called off: its agent was asked to stop, and had time to. */
    record CalledOff() implements Verdict {
        @Override
        public DelegationEvent applyTo(
                Delegation delegation, @Nullable Lease lease, Instant again, Evidence evidence, Instant now) {
            return delegation.cancel(null, evidence, now);
        }
    }
}
