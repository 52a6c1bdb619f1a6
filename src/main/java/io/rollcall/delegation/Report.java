package io.rollcall.delegation;

import io.rollcall.retry.ReportedError;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A report on how a delegation went, by its agent or by an operator.
 *
 * @param id on what
 * @param status in progress, completed, failed, cancelled, or queued (a release)
 * @param epoch under which epoch; null for an operator, and where no other attempt can ever be
 * @param result JSON; null: none
 * @param error the failure; null: none
 * @param errorJson the same as it came
 * @param progress 0 to 1; null: not said
 * @param note for people; without an epoch it makes this an operator's close
 * @param body the whole report as JSON in canonical form: what tells whether two are the same
 * @param ifMatch the version that the delegation must have; null: any
 */
public record Report(
        UUID id,
        DelegationStatus status,
        @Nullable Long epoch,
        @Nullable String result,
        @Nullable ReportedError error,
        @Nullable String errorJson,
        @Nullable Double progress,
        @Nullable String note,
        String body,
        @Nullable Long ifMatch) {

    /** Whether an operator closes the delegation, whoever holds it. */
    boolean isByOperator() {
        return epoch == null && note != null;
    }
}
