package io.rollcall.outbound;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** Settings of calls that leave the service, read once at start. */
@ConfigMapping(prefix = "rollcall.outbound")
public interface OutboundConfig {
    /** Whether targets may have private, loopback or link-local addresses, and plain http; for trials and closed networks. */
    @WithDefault("false")
    boolean allowPrivate();
}
