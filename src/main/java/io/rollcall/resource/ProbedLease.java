package io.rollcall.resource;

import java.time.Instant;

/**
 * A lease that is held and whose holder has not been heard for so long that its probe is asked.
 *
 * @param name of what it locks
 * @param epoch under which it is held
 * @param renewedAt when its holder was last heard: an answer of the probe counts only if that has not changed
 * @param probe how to find out whether the holder is alive, as JSON
 */
public record ProbedLease(String name, long epoch, Instant renewedAt, String probe) {}
