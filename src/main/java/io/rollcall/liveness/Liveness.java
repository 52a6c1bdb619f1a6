package io.rollcall.liveness;

import java.util.Locale;

/** What a probe says. */
public enum Liveness {
    /** It runs. */
    ALIVE,
    /** It is gone for good. */
    DEAD,
    /** Nobody can say from here, or not now: this proves nothing. */
    UNKNOWN;

    /** The word in metrics. */
    String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }
}
