package io.rollcall.delegation;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A request to register a delegation, not yet frozen.
 *
 * @param place where it stands in the request, as the start of a path to its fields: empty, or {@code items[3].}
 * @param id its identity
 * @param wanted what its caller wants agreed
 * @param priority 0 to 9, highest first
 * @param labels up to 20
 * @param payload JSON, for its agent
 * @param deadlineAt when it is given up; null where {@code deadlineIn} says it
 * @param deadlineIn how long after registration it is given up; null where {@code deadlineAt} says it
 * @param availableAt when it may be claimed first; null: at once
 * @param lineage where it comes from
 * @param onCompleted what is registered when it completes; null: nothing
 * @param idempotencyKey unique per caller
 * @param bodyHash SHA-256 of the request as its caller sent it
 */
public record NewDelegation(
        String place,
        UUID id,
        Wanted wanted,
        int priority,
        Map<String, String> labels,
        @Nullable String payload,
        @Nullable Instant deadlineAt,
        @Nullable Duration deadlineIn,
        @Nullable Instant availableAt,
        Lineage lineage,
        @Nullable OnCompleted onCompleted,
        @Nullable String idempotencyKey,
        byte @Nullable [] bodyHash) {

    /**
     * Follow-ups as they are stored.
     *
     * @param json a list of {@link FollowUp}
     * @param count how many there are, at least one
     */
    public record OnCompleted(String json, int count) {}
}
