package io.rollcall.liveness;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Some of those who are silent, in the order of their keys.
 *
 * @param holders those with a probe; maybe none
 * @param next the key after which there may be more; null: these were the last
 */
public record SilentPage(
        List<SilentHolder> holders, @Nullable String next) {}
