package io.rollcall.delegation;

import io.rollcall.error.ErrorCode;
import io.rollcall.error.RefusedException;
import org.jspecify.annotations.Nullable;

/** What a client says must still be true. */
final class Preconditions {
    private Preconditions() {}

    /** Refuses unless the delegation still has the version that {@code If-Match} named; null names none. */
    static void requireVersion(Delegation delegation, @Nullable Long version) {
        if (version != null && version != delegation.version()) {
            throw new RefusedException(
                            ErrorCode.PRECONDITION_FAILED,
                            "The delegation has version " + delegation.version() + " now.")
                    .with("delegationStatus", delegation.status().wireName());
        }
    }
}
