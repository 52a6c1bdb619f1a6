package io.rollcall.http.problem;

import io.quarkus.runtime.configuration.MemorySize;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** How much a request may carry. */
@ConfigMapping(prefix = "rollcall.http")
public interface EdgeConfig {
    /** The longest body of an ordinary request. */
    @WithDefault("1M")
    MemorySize maxBodySize();

    /** The longest body of a batch. */
    @WithDefault("16M")
    MemorySize maxBatchBodySize();

    /** The longest path with its query, in characters. */
    @WithDefault("8192")
    int maxUriLength();

    /** The longest that all headers may be together. */
    @WithDefault("16K")
    MemorySize maxHeaderSize();
}
