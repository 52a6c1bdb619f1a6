package io.rollcall.http;

import com.fasterxml.jackson.databind.JsonNode;
import io.rollcall.delegation.Recovery;
import jakarta.validation.Valid;
import jakarta.validation.constraints.AssertTrue;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.hibernate.validator.constraints.CodePointLength;
import org.jspecify.annotations.Nullable;

/**
 * A delegation to be registered.
 *
 * @param id its identity; without one the service makes one, version 7
 * @param caller who asks for it
 * @param agent who is to do it: it is dispatched at once. Without one it is queued
 * @param queue where it waits to be claimed, {@code default} unless stated; of a direct one, where it falls back to
 * @param task what is to be done
 * @param payload what its agent needs to know, up to 256 KiB
 * @param labels up to 20, for lists
 * @param priority 0 to 9, highest first, 5 unless stated
 * @param deadlineAt when it is given up, within 30 days
 * @param deadlineIn the same, from now; only one of both
 * @param heartbeatTimeout how long a heartbeat lasts
 * @param queueTimeout how long it may wait once it is claimable
 * @param maxRunning how long one attempt may last
 * @param maxRequeues how often it may be queued again, 0 to 100
 * @param recovery what becomes of it when an attempt goes wrong: {@code none} for direct, {@code requeue} for queued
 *     ones unless stated
 * @param availableAt when it may be claimed first; queued ones only
 * @param gate who is asked, once it is reported as completed, whether it counts; that of its queue unless stated
 * @param onCompleted what is registered when it completes: up to 20, five levels deep, 100 altogether
 */
@Schema(
        example =
                "{\"caller\": \"web-shop\", \"agent\": \"builder-7\", \"task\": \"Build the image of commit 4f2a\", \"payload\": {\"commit\": \"4f2a\"}, \"labels\": {\"team\": \"search\"}, \"deadlineIn\": \"PT2H\", \"heartbeatTimeout\": \"PT5M\"}")
record RegisterRequest(
        @Nullable UUID id,
        @NotNull @Name String caller,
        @Nullable @Name String agent,
        @Nullable @Name String queue,
        @NotNull @CodePointLength(min = 1, max = 1_000) String task,
        @Schema(description = "Any JSON") @Nullable JsonNode payload,

        @Nullable @Size(max = 20)
        Map<
                        @Pattern(regexp = LABEL_KEY, message = "must be 1 to 63 characters of A-Z a-z 0-9 . _ / @ -")
                        String,
                        @NotNull @CodePointLength(max = 255) String>
                labels,

        @Nullable @Min(0) @Max(9) Integer priority,
        @Nullable Instant deadlineAt,
        @Nullable @Span Duration deadlineIn,
        @Nullable @Span Duration heartbeatTimeout,
        @Nullable @Span Duration queueTimeout,
        @Nullable @Span Duration maxRunning,
        @Nullable @Min(0) @Max(100) Integer maxRequeues,
        @Nullable Recovery recovery,
        @Nullable Instant availableAt,
        @Nullable @Valid GateRequest gate,
        @Nullable @Size(max = FollowUpTerms.MAX_LIST) List<@NotNull @Valid FollowUpRequest> onCompleted) {

    /** No colon: it separates key and value in the filter of lists. */
    static final String LABEL_KEY = "[A-Za-z0-9._/@-]{1,63}";

    /** A rule between two fields. */
    @AssertTrue(message = "deadlineAt and deadlineIn exclude each other")
    @Schema(hidden = true)
    boolean isOneDeadline() {
        return deadlineAt == null || deadlineIn == null;
    }

    /** A rule between two fields. */
    @AssertTrue(message = "availableAt is for queued delegations: leave out the agent")
    @Schema(hidden = true)
    boolean isDelayedOnlyWhereQueued() {
        return availableAt == null || agent == null;
    }
}
