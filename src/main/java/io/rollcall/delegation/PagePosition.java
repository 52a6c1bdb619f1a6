package io.rollcall.delegation;

import java.time.Instant;
import java.util.UUID;

/**
 * A position in a sorted list of delegations.
 *
 * @param key what the list is sorted by
 * @param id which of those with that key
 */
public record PagePosition(Instant key, UUID id) {}
