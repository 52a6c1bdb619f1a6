package io.rollcall.queue;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A queue as it is now.
 *
 * @param settings its settings, all unset where it was never set up
 * @param depth how many wait in it, delayed ones included
 * @param inFlight how many of it are in flight
 * @param oldestWaitingAt since when the one waits that has been claimable longest; null if none is
 */
public record QueueState(
        QueueSettings settings,
        long depth,
        long inFlight,
        @Nullable Instant oldestWaitingAt) {}
