package io.rollcall.http.problem;

import io.rollcall.error.ErrorCode;
import io.rollcall.error.RefusedException;

/** A parameter of the path or the query has a value that cannot be read. Its converter knows the value, not the name. */
public class ParameterRefusedException extends RefusedException {
    private static final long serialVersionUID = 1L;

    private final String value;
    private final String expectation;

    /**
     * @param value what the request says
     * @param expectation what it must be, as in "must be a UUID"
     */
    public ParameterRefusedException(String value, String expectation) {
        super(ErrorCode.INVALID_REQUEST, "A parameter " + expectation + ".");
        this.value = value;
        this.expectation = expectation;
    }

    String value() {
        return value;
    }

    String expectation() {
        return expectation;
    }
}
