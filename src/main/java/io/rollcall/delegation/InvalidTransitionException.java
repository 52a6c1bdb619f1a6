package io.rollcall.delegation;

import io.rollcall.error.ErrorCode;
import io.rollcall.error.RefusedException;
import java.util.UUID;

/** A move that the state machine does not know. */
public class InvalidTransitionException extends RefusedException {
    private static final long serialVersionUID = 1L;

    /** Says what it is and what it was to become. */
    public InvalidTransitionException(UUID id, DelegationStatus from, DelegationStatus to) {
        super(
                ErrorCode.INVALID_TRANSITION,
                "Delegation " + id + " is " + from.wireName() + " and cannot become " + to.wireName() + ".");
        with("delegationStatus", from.wireName());
    }
}
