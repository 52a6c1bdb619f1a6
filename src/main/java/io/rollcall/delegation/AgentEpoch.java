package io.rollcall.delegation;

import io.rollcall.error.ErrorCode;
import io.rollcall.error.RefusedException;
import org.jspecify.annotations.Nullable;

/** Under which epoch an agent speaks. */
final class AgentEpoch {
    private AgentEpoch() {}

    /**
     * The stated epoch; without one that of the only attempt that can ever be.
     *
     * @throws RefusedException {@code epoch-required} where another attempt could exist
     */
    static long of(Delegation delegation, @Nullable Long stated) {
        if (stated != null) {
            return stated;
        }
        if (!delegation.terms().isSoleAttempt()) {
            throw new RefusedException(
                    ErrorCode.EPOCH_REQUIRED, "This delegation may have several attempts: say which by its epoch.");
        }
        return delegation.epoch();
    }
}
