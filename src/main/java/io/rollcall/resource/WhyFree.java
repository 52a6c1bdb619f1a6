package io.rollcall.resource;

import java.util.Locale;

/** Why a lease that nobody has released is free all the same. */
public enum WhyFree {
    /** The attempt that it is tied to has ended. */
    ATTEMPT_ENDED,
    /** Its probe said often enough that the holder is dead. */
    AGENT_DEAD,
    /** Its time is over. */
    EXPIRED;

    /** The word in statements and in metrics. */
    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }

    static WhyFree ofWireName(String word) {
        return valueOf(word.toUpperCase(Locale.ROOT));
    }
}
