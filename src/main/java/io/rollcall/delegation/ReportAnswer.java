package io.rollcall.delegation;

import org.jspecify.annotations.Nullable;

/**
 * The answer to an accepted report.
 *
 * @param detail the delegation as it is now
 * @param disposition what the report led to, {@code settled}, {@code requeued} or {@code released}; null where it ended
 *     nothing
 */
public record ReportAnswer(
        DelegationDetail detail, @Nullable String disposition) {}
