package io.rollcall.liveness;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Somebody who holds something and has not been heard of for longer than usual.
 *
 * @param key of the hold, unique among those of its kind
 * @param epoch under which it is held
 * @param lastBeatAt when its holder was last heard of: an answer counts only until it is heard of again
 * @param probe how to find out whether it is alive: a {@link Probe} as JSON
 */
public record SilentHolder(String key, long epoch, @Nullable Instant lastBeatAt, String probe) {

    /** When it was last heard of, as text for statements: it keeps every microsecond. */
    public @Nullable String lastBeatText() {
        return lastBeatAt == null ? null : lastBeatAt.toString();
    }
}
