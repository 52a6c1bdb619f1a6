package io.rollcall.delegation;

import java.time.Instant;
import java.util.UUID;

/**
 * A delegation that time alone would end, and when: a position in the index of due ones.
 *
 * @param dueAt when
 * @param id which
 */
public record DueDelegation(Instant dueAt, UUID id) {
    /** Before every other. */
    public static final DueDelegation FIRST = new DueDelegation(Instant.EPOCH, new UUID(0, 0));
}
