package io.rollcall.http;

import com.fasterxml.jackson.databind.JsonNode;
import io.rollcall.delegation.Recovery;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.hibernate.validator.constraints.CodePointLength;
import org.jspecify.annotations.Nullable;

/**
 * A delegation that is registered when another completes. What is not listed here is as for any registration.
 *
 * @param caller may be left out: it is that of the delegation that it follows
 * @param deadlineIn when it is given up, counted from the completion
 * @param passResult whether its payload is to carry the result of the delegation that it follows, as
 *     {@code parentResult}; the payload must then be an object, or left out
 * @param onCompleted what follows its own completion; five levels at most
 */
@Schema(
        name = "FollowUp",
        example = "{\"queue\": \"deployments\", \"task\": \"Deploy the image\", \"passResult\": true}")
record FollowUpRequest(
        @Nullable @Name String caller,
        @Nullable @Name String agent,
        @Nullable @Name String queue,
        @NotNull @CodePointLength(min = 1, max = 1_000) String task,
        @Schema(description = "Any JSON") @Nullable JsonNode payload,

        @Nullable @Size(max = 20)
        Map<
                        @Pattern(
                                regexp = RegisterRequest.LABEL_KEY,
                                message = "must be 1 to 63 characters of A-Z a-z 0-9 . _ / @ -")
                        String,
                        @NotNull @CodePointLength(max = 255) String>
                labels,

        @Nullable @Min(0) @Max(9) Integer priority,
        @Nullable @Span Duration deadlineIn,
        @Nullable @Span Duration heartbeatTimeout,
        @Nullable @Span Duration queueTimeout,
        @Nullable @Span Duration maxRunning,
        @Nullable @Min(0) @Max(100) Integer maxRequeues,
        @Nullable Recovery recovery,
        @Nullable @Valid GateRequest gate,
        @Nullable Boolean passResult,
        @Nullable @Size(max = FollowUpTerms.MAX_LIST) List<@NotNull @Valid FollowUpRequest> onCompleted) {}
