package io.rollcall.lease;

import io.rollcall.error.ErrorCode;
import io.rollcall.error.RefusedException;

/** A beat that was not looked at: too many are waiting, or the database is away. It is not a lost lease. */
public class BeatsRefusedException extends RefusedException {
    private static final long serialVersionUID = 1L;

    BeatsRefusedException(ErrorCode code, String detail) {
        super(code, detail);
    }

    /** Too many are waiting. */
    public static BeatsRefusedException overloaded() {
        return new BeatsRefusedException(
                ErrorCode.OVERLOADED, "Too many heartbeats are waiting. The lease is not lost; beat again.");
    }

    static BeatsRefusedException unavailable() {
        return new BeatsRefusedException(
                ErrorCode.UNAVAILABLE, "The database is away. The lease is not lost; beat again.");
    }
}
