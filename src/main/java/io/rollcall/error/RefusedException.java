package io.rollcall.error;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A request that the service refuses for a reason the client can understand. It is not a fault: nothing is logged above
 * debug, and the transaction in which it is thrown is rolled back.
 */
public class RefusedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final ErrorCode code;
    private final transient Map<String, Object> fields = new LinkedHashMap<>();

    /**
     * @param code what kind of refusal it is
     * @param detail one sentence for the person who reads the answer; never contains secrets or class names
     */
    public RefusedException(ErrorCode code, String detail) {
        super(detail, null, false, false); // no stack trace: refusals are part of normal work
        this.code = code;
    }

    /** Adds a field that helps the client, such as {@code delegationStatus}, and returns this exception. */
    public RefusedException with(String field, Object value) {
        fields.put(field, value);
        return this;
    }

    /** What kind of refusal it is. */
    public ErrorCode code() {
        return code;
    }

    /** The sentence for the person who reads the answer. */
    public String detail() {
        return String.valueOf(getMessage());
    }

    /** Further fields of the problem, in the order in which they were added. */
    public Map<String, Object> fields() {
        return fields;
    }
}
