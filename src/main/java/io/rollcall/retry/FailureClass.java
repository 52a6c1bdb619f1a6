package io.rollcall.retry;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Locale;

/** What kind of failure an agent met. */
public enum FailureClass {
    /** The other side could not be reached. */
    @JsonProperty("connection")
    CONNECTION(true),
    /** The other side did not answer in time. */
    @JsonProperty("timeout")
    TIMEOUT(true),
    /** The other side asked for fewer calls. */
    @JsonProperty("rate_limited")
    RATE_LIMITED(true),
    /** The other side failed. */
    @JsonProperty("server_error")
    SERVER_ERROR(true),
    /** The agent did not even try: too much had failed before. */
    @JsonProperty("circuit_open")
    CIRCUIT_OPEN(true),
    /** The credential was refused. */
    @JsonProperty("auth")
    AUTH(false),
    /** The agent is set up wrongly. */
    @JsonProperty("configuration")
    CONFIGURATION(false),
    /** The request was wrong. */
    @JsonProperty("client_error")
    CLIENT_ERROR(false),
    /** Nobody can say. */
    @JsonProperty("unknown")
    UNKNOWN(false);

    private final boolean retryable;

    FailureClass(boolean retryable) {
        this.retryable = retryable;
    }

    /** Whether the same work may well succeed later. */
    public boolean isRetryable() {
        return retryable;
    }

    /** The word in the API. */
    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The class of an HTTP status, 100 to 599, that an agent was answered with. */
    static FailureClass ofHttpStatus(int status) {
        return switch (status) {
            case 408 -> TIMEOUT;
            case 429 -> RATE_LIMITED;
            case 401, 403 -> AUTH;
            default -> status >= 500 ? SERVER_ERROR : status >= 400 ? CLIENT_ERROR : UNKNOWN;
        };
    }
}
