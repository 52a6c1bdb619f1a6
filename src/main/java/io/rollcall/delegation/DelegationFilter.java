package io.rollcall.delegation;

import java.time.Instant;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which delegations a list is about; null, or an empty set, does not narrow it.
 *
 * @param statuses any of these
 * @param reason why it ended or got stuck, as its word
 * @param cause what last went wrong, as its word
 * @param queue where it waits or waited
 * @param agent who is to do it or holds it
 * @param caller who asked for it
 * @param label a label that it has
 * @param deadLetter whether it is, or is not, a dead letter
 * @param neverBeat whether it was, or was not, dispatched to an agent that has never beaten
 * @param createdAfter registered after this
 * @param createdBefore registered before this
 */
public record DelegationFilter(
        Set<DelegationStatus> statuses,
        @Nullable String reason,
        @Nullable String cause,
        @Nullable String queue,
        @Nullable String agent,
        @Nullable String caller,
        @Nullable Label label,
        @Nullable Boolean deadLetter,
        @Nullable Boolean neverBeat,
        @Nullable Instant createdAfter,
        @Nullable Instant createdBefore) {

    /** A label and its value. */
    public record Label(String key, String value) {}

    /** Every delegation. */
    public static final DelegationFilter ALL =
            new DelegationFilter(Set.of(), null, null, null, null, null, null, null, null, null, null);

    /** The same for delegations in any status. */
    public DelegationFilter withoutStatuses() {
        return with(Set.of());
    }

    /** The same for those of its statuses, or of all, that are among these; maybe of none. */
    public DelegationFilter narrowedTo(Set<DelegationStatus> allowed) {
        Set<DelegationStatus> narrowed = EnumSet.copyOf(allowed);
        if (!statuses.isEmpty()) {
            narrowed.retainAll(statuses);
        }
        return with(narrowed);
    }

    private DelegationFilter with(Set<DelegationStatus> others) {
        return new DelegationFilter(
                others, reason, cause, queue, agent, caller, label, deadLetter, neverBeat, createdAfter, createdBefore);
    }
}
