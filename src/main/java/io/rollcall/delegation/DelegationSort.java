package io.rollcall.delegation;

import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Function;

/** The orders in which delegations can be listed; equal ones in the order of their ids. */
public enum DelegationSort {
    /** Newest first. */
    NEWEST("-createdAt", "created_at", true, Delegation::createdAt),
    /** Oldest first. */
    OLDEST("createdAt", "created_at", false, Delegation::createdAt),
    /** Last changed first. */
    LAST_CHANGED("-updatedAt", "updated_at", true, Delegation::updatedAt),
    /** Next deadline first. */
    DEADLINE("deadlineAt", "deadline_at", false, Delegation::deadlineAt);

    private final String wireName;
    private final String column;
    private final boolean descending;
    private final Function<Delegation, Instant> key;

    DelegationSort(String wireName, String column, boolean descending, Function<Delegation, Instant> key) {
        this.wireName = wireName;
        this.column = column;
        this.descending = descending;
        this.key = key;
    }

    /** The word in the API. */
    public String wireName() {
        return wireName;
    }

    /** The sort of that word; empty if there is none. */
    public static Optional<DelegationSort> ofWireName(String word) {
        return Arrays.stream(values())
                .filter(sort -> sort.wireName.equals(word))
                .findFirst();
    }

    /** What a delegation is sorted by. */
    public Instant keyOf(Delegation delegation) {
        return key.apply(delegation);
    }

    String column() {
        return column;
    }

    String direction() {
        return descending ? "desc" : "asc";
    }

    String comparison() {
        return descending ? "<" : ">";
    }
}
