package io.rollcall.delegation;

import io.rollcall.lease.Lease;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A delegation with what stands in other tables, as it was read in one transaction.
 *
 * @param delegation itself
 * @param lease the hold on it, if there is one
 * @param retriedBy its successor, if there is one
 * @param body payload and result; null in lists
 */
public record DelegationDetail(
        Delegation delegation,
        @Nullable Lease lease,
        @Nullable UUID retriedBy,
        @Nullable Body body) {

    /**
     * The large parts.
     *
     * @param payload JSON
     * @param result JSON
     */
    public record Body(@Nullable String payload, @Nullable String result) {}
}
