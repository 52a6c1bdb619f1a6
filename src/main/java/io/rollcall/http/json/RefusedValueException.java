package io.rollcall.http.json;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;

/** A value that one of our own readers refuses, in words that a client may see. */
class RefusedValueException extends MismatchedInputException {
    private static final long serialVersionUID = 1L;

    /**
     * @param parser where it stands
     * @param expectation what it must be, as in "must be a UUID"
     */
    RefusedValueException(JsonParser parser, String expectation) {
        super(parser, expectation);
    }
}
