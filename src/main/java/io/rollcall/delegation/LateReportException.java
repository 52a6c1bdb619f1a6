package io.rollcall.delegation;

import io.rollcall.error.ErrorCode;
import io.rollcall.error.RefusedException;

/** A report of an agent that came too late. It is refused, but the transaction that kept it in the history commits. */
class LateReportException extends RefusedException {
    private static final long serialVersionUID = 1L;

    LateReportException(ErrorCode code, String detail, Delegation delegation) {
        super(code, detail);
        with("delegationStatus", delegation.status().wireName());
        with("epoch", delegation.epoch());
    }
}
