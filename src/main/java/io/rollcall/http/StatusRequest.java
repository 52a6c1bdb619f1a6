package io.rollcall.http;

import com.fasterxml.jackson.databind.JsonNode;
import io.rollcall.retry.ReportedError;
import jakarta.validation.Valid;
import jakarta.validation.constraints.DecimalMax;
import jakarta.validation.constraints.DecimalMin;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.hibernate.validator.constraints.CodePointLength;
import org.jspecify.annotations.Nullable;

/**
 * A report on how a delegation went. With an epoch it is its agent's; without one, a note makes it an operator's close;
 * without both it is an agent's where no other attempt can ever be.
 *
 * @param status {@code in_progress}, {@code completed}, {@code failed}, {@code cancelled}, or {@code queued}: a release
 * @param epoch of the agent's lease
 * @param result what came out of it, up to 256 KiB
 * @param error what went wrong
 * @param progress 0 to 1
 * @param note for people, up to 1,000 characters
 */
@Schema(
        example =
                "{\"status\": \"failed\", \"epoch\": 3, \"error\": {\"class\": \"rate_limited\", \"httpStatus\": 429, \"message\": \"quota is used up\", \"retryAfterS\": 60}}")
record StatusRequest(
        @NotNull @Pattern(regexp = "in_progress|completed|failed|cancelled|queued")
        String status,

        @Nullable @Min(1) Long epoch,
        @Schema(description = "Any JSON") @Nullable JsonNode result,
        @Nullable @Valid ReportedError error,
        @Nullable @DecimalMin("0") @DecimalMax("1") Double progress,
        @Nullable @CodePointLength(min = 1, max = 1_000) String note) {}
