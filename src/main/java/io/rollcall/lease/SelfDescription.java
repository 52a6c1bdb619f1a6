package io.rollcall.lease;

import org.jspecify.annotations.Nullable;

/**
 * What an agent says about itself, with a claim or with any heartbeat.
 *
 * @param instance unique per start of its process; null leaves it as it is
 * @param probe how to find out whether it is alive, as JSON; null leaves it as it is
 */
public record SelfDescription(
        @Nullable String instance, @Nullable String probe) {

    /** Nothing. */
    public static final SelfDescription NONE = new SelfDescription(null, null);

    /** Whether it says anything. */
    public boolean isGiven() {
        return instance != null || probe != null;
    }

    /** Both as one: what the later one says counts. */
    SelfDescription followedBy(SelfDescription later) {
        return later.isGiven()
                ? new SelfDescription(
                        later.instance == null ? instance : later.instance, later.probe == null ? probe : later.probe)
                : this;
    }
}
