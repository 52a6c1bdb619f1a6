package io.rollcall.liveness;

import java.time.Instant;

/**
 * A holder that was found dead as often as is needed, and has not been heard of since.
 *
 * @param count how many dead answers counted in a row
 * @param probe which kind of probe said so
 * @param countedAt when the last one counted
 */
public record DeadHolder(int count, String probe, Instant countedAt) {}
