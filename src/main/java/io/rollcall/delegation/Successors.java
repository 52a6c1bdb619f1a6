package io.rollcall.delegation;

import io.rollcall.error.ErrorCode;
import io.rollcall.error.RefusedException;
import io.rollcall.time.DatabaseClock;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.persistence.OptimisticLockException;
import jakarta.transaction.Transactional;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.hibernate.id.uuid.UuidVersion7Strategy;
import org.jspecify.annotations.Nullable;

/** Retry by an operator: a new delegation takes the place of one that went wrong. */
@ApplicationScoped
public class Successors {
    /** What an operator may retry. */
    public static final Set<DelegationStatus> RETRYABLE =
            EnumSet.of(DelegationStatus.STUCK, DelegationStatus.FAILED, DelegationStatus.CANCELLED);

    private final DelegationRepository delegations;
    private final Registrations registrations;
    private final EventRepository events;
    private final Ledger ledger;
    private final Details details;
    private final DatabaseClock clock;

    Successors(
            DelegationRepository delegations,
            Registrations registrations,
            EventRepository events,
            Ledger ledger,
            Details details,
            DatabaseClock clock) {
        this.delegations = delegations;
        this.registrations = registrations;
        this.events = events;
        this.ledger = ledger;
        this.details = details;
        this.clock = clock;
    }

    /**
     * What may differ in a successor; null leaves it as it was.
     *
     * @param agent who is to do it
     * @param queue where it waits
     * @param deadlineIn how long from now it is given up
     * @param note the operator's, for the history
     */
    public record Differences(
            @Nullable String agent,
            @Nullable String queue,
            @Nullable Duration deadlineIn,
            @Nullable String note) {}

    /**
     * Registers the successor of one that is stuck, failed or cancelled, with a fresh budget and its durations applied
     * anew. A stuck original ends as superseded in the same transaction, so that its agent's lease is lost. Asked again,
     * the same successor is the answer.
     *
     * @throws RefusedException {@code not-found}, or {@code invalid-transition} from any other status
     * @throws OptimisticLockException if others changed the original meanwhile; try again
     */
    @Transactional
    public Registration retry(UUID id, Differences differences) {
        Delegation original = delegations.get(id);
        UUID known = delegations.findSuccessors(List.of(id)).get(id);
        if (known != null) {
            return new Registration(details.of(delegations.get(known)), false);
        }
        if (!RETRYABLE.contains(original.status())) {
            throw new RefusedException(
                            ErrorCode.INVALID_TRANSITION,
                            "Only what is stuck, failed or cancelled can be retried; this is "
                                    + original.status().wireName() + ".")
                    .with("delegationStatus", original.status().wireName());
        }
        Instant now = clock.now();
        NewDelegation request = successorOf(original, differences);
        Evidence evidence = Evidence.ofOperator().with("note", differences.note());
        boolean superseded = original.status() == DelegationStatus.STUCK;
        if (superseded) {
            DelegationEvent event =
                    original.giveUp(Reason.SUPERSEDED, null, null, evidence.with("successor", request.id()), now);
            ledger.write(List.of(new Change(original, event)));
        }
        if (!superseded) {
            audit(original, evidence.with("action", "retry").with("successor", request.id()), now);
        }
        Delegation successor = registrations.addWithin(request, evidence.with("retryOf", id), now);
        return new Registration(details.of(successor), true);
    }

    /** The final row is not touched; only its history says who retried it. */
    private void audit(Delegation original, Evidence evidence, Instant now) {
        delegations.lockRow(original.id());
        events.append(List.of(original.noted(evidence, now)));
    }

    private static NewDelegation successorOf(Delegation original, Differences differences) {
        Terms terms = original.terms();
        boolean moved = differences.queue() != null && differences.agent() == null;
        String agent = moved ? null : differences.agent() == null ? terms.agent() : differences.agent();
        return new NewDelegation(
                "",
                newId(),
                Wanted.as(terms, agent, differences.queue() == null ? terms.queue() : differences.queue()),
                original.priority(),
                Map.copyOf(original.labels()),
                original.payload(),
                null,
                differences.deadlineIn() == null
                        ? Duration.between(original.createdAt(), original.deadlineAt())
                        : differences.deadlineIn(),
                null,
                Lineage.successorOf(original),
                original.sameOnCompleted(),
                null,
                null);
    }

    /** A new id, version 7: they sort by the time at which they were made. */
    public static UUID newId() {
        return UuidVersion7Strategy.INSTANCE.generateUuid(null);
    }
}
