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
        List<SilentHolder> holders, @Nullable String next) {

    /** What was found where at most {@code limit} were asked for, at least one: as many mean that there may be more. */
    public static SilentPage of(List<SilentHolder> found, int limit) {
        return new SilentPage(
                found, found.size() < limit ? null : found.get(limit - 1).key());
    }
}
