package io.rollcall.delegation;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Locale;

/** What becomes of a delegation whose attempt went wrong. */
public enum Recovery {
    /** A stale lease makes it stuck, everything else fails it. */
    @JsonProperty("none")
    NONE,
    /** It is queued again within its budget, else it is a dead letter. */
    @JsonProperty("requeue")
    REQUEUE;

    /** The word in the API and in the database. */
    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }
}
