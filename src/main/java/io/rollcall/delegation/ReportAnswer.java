package io.rollcall.delegation;

import org.jspecify.annotations.Nullable;

/**
 * The answer to an accepted report.
 *
 * @param detail the delegation as it is now
 * @param disposition what the report led to, {@code settled}, {@code requeued}, {@code released} or {@code pending}; null
 *     where it ended nothing
 * @param asksGate whether this report is the one for which the gate is to be asked now
 */
public record ReportAnswer(
        DelegationDetail detail, @Nullable String disposition, boolean asksGate) {
    /** One for which no gate is to be asked. */
    static ReportAnswer of(DelegationDetail detail, @Nullable String disposition) {
        return new ReportAnswer(detail, disposition, false);
    }

    /** Whether it is still open what the report will lead to. */
    public boolean isPending() {
        return Disposition.PENDING.wireName().equals(disposition);
    }
}
