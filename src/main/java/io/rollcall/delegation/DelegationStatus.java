package io.rollcall.delegation;

import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The life of a delegation. {@link #successors()} is the whole state machine, and this enum the only list of statuses:
 * every predicate in SQL is given its words from here or tested against them.
 */
public enum DelegationStatus {
    /** Waiting to be claimed, now or after its backoff. */
    QUEUED,
    /** Handed to an agent that has not begun yet. */
    DISPATCHED,
    /** An agent is at work and says so by heartbeats. */
    IN_PROGRESS,
    /** Its agent fell silent and an operator has to look. The holder keeps its lease and may still report. */
    STUCK,
    /** Done. */
    COMPLETED,
    /** Given up. */
    FAILED,
    /** Called off. */
    CANCELLED;

    private static final Set<DelegationStatus> FINAL =
            having(status -> status.successors().isEmpty());
    private static final Set<DelegationStatus> OPEN = having(status -> !status.isFinal());
    private static final Set<DelegationStatus> IN_FLIGHT = having(DelegationStatus::isInFlight);

    /** What may follow. No {@code default}: a new status does not compile until its successors are decided. */
    public Set<DelegationStatus> successors() {
        return switch (this) {
            case QUEUED -> EnumSet.of(DISPATCHED, COMPLETED, FAILED, CANCELLED);
            case DISPATCHED -> EnumSet.of(IN_PROGRESS, COMPLETED, FAILED, STUCK, CANCELLED, QUEUED);
            case IN_PROGRESS -> EnumSet.of(COMPLETED, FAILED, STUCK, CANCELLED, QUEUED);
            case STUCK -> EnumSet.of(COMPLETED, FAILED, CANCELLED);
            case COMPLETED, FAILED, CANCELLED -> EnumSet.noneOf(DelegationStatus.class);
        };
    }

    /** Whether nothing may follow. */
    public boolean isFinal() {
        return successors().isEmpty();
    }

    /** Whether an agent is expected to be at work. */
    public boolean isInFlight() {
        return this == DISPATCHED || this == IN_PROGRESS;
    }

    /** Whether a lease exists in this status: exactly while in flight or stuck. */
    public boolean holdsLease() {
        return isInFlight() || this == STUCK;
    }

    /** The word in the API and in the database. */
    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The status of that word; empty if there is none. */
    public static Optional<DelegationStatus> ofWireName(String word) {
        return Arrays.stream(values())
                .filter(status -> status.wireName().equals(word))
                .findFirst();
    }

    /** Completed, failed, cancelled. */
    public static Set<DelegationStatus> finals() {
        return FINAL;
    }

    /** Queued, in flight or stuck. */
    public static Set<DelegationStatus> open() {
        return OPEN;
    }

    /** Dispatched or in progress. */
    public static Set<DelegationStatus> inFlight() {
        return IN_FLIGHT;
    }

    /** The words of some statuses, as SQL takes them. */
    public static String[] wireNames(Set<DelegationStatus> statuses) {
        return statuses.stream().map(DelegationStatus::wireName).sorted().toArray(String[]::new);
    }

    private static Set<DelegationStatus> having(Predicate<DelegationStatus> predicate) {
        return Collections.unmodifiableSet(Arrays.stream(values())
                .filter(predicate)
                .collect(Collectors.toCollection(() -> EnumSet.noneOf(DelegationStatus.class))));
    }
}
