package io.rollcall.delegation;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Where a delegation comes from.
 *
 * @param retryOf the one that it tries again
 * @param parentId the one whose completion it follows, also where it tries a follow-up again
 * @param followUp which of its follow-ups it is, from 0; null where it is none
 */
public record Lineage(
        @Nullable UUID retryOf,
        @Nullable UUID parentId,
        @Nullable Integer followUp) {
    /** Of one that its caller has registered. */
    public static final Lineage NONE = new Lineage(null, null, null);

    /** Of one that takes the place of another. */
    static Lineage successorOf(Delegation original) {
        return new Lineage(original.id(), original.parentId(), null);
    }

    /** Of one that follows the completion of another. */
    static Lineage followUpOf(Delegation parent, int number) {
        return new Lineage(null, parent.id(), number);
    }
}
