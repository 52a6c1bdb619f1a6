package io.rollcall.delegation;

import io.rollcall.error.ErrorCode;
import io.rollcall.error.RefusedException;
import io.rollcall.error.Violation;
import io.rollcall.time.DatabaseClock;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.transaction.Transactional;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What operators may change of a delegation while it is open. */
@ApplicationScoped
public class Edits {
    private final DelegationRepository delegations;
    private final Ledger ledger;
    private final Details details;
    private final DatabaseClock clock;

    Edits(DelegationRepository delegations, Ledger ledger, Details details, DatabaseClock clock) {
        this.delegations = delegations;
        this.ledger = ledger;
        this.details = details;
        this.clock = clock;
    }

    /**
     * What is to change; null leaves a field as it is.
     *
     * @param deadlineAt in the future, within 30 days
     * @param priority 0 to 9
     * @param labels all of them anew
     * @param note the operator's, for the history
     */
    public record Edit(
            @Nullable Instant deadlineAt,
            @Nullable Integer priority,
            @Nullable Map<String, String> labels,
            @Nullable String note) {}

    /**
     * Edits one.
     *
     * @param ifMatch the version that it must have; null: any
     * @throws RefusedException {@code not-found}, {@code precondition-failed}, {@code invalid-transition} when it is
     *     final, or {@code invalid-request}
     */
    @Transactional
    public DelegationDetail edit(UUID id, Edit edit, @Nullable Long ifMatch) {
        Delegation delegation = delegations.get(id);
        Preconditions.requireVersion(delegation, ifMatch);
        Instant now = clock.now();
        requireWithinHorizon(edit.deadlineAt(), now);
        Evidence evidence = Evidence.ofOperator()
                .with("deadlineAt", edit.deadlineAt())
                .with("priority", edit.priority())
                .with("labels", edit.labels())
                .with("note", edit.note());
        DelegationEvent event = delegation.edit(edit.deadlineAt(), edit.priority(), edit.labels(), evidence, now);
        ledger.write(List.of(new Change(delegation, event)));
        return details.of(delegation);
    }

    private static void requireWithinHorizon(@Nullable Instant deadlineAt, Instant now) {
        if (deadlineAt != null && (!deadlineAt.isAfter(now) || deadlineAt.isAfter(now.plus(Registrations.HORIZON)))) {
            throw new RefusedException(ErrorCode.INVALID_REQUEST, "The deadline is out of range.")
                    .with(
                            "violations",
                            List.of(new Violation("deadlineAt", "must be in the future and within 30 days")));
        }
    }
}
