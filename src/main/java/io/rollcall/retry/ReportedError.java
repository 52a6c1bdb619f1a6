package io.rollcall.retry;

import com.fasterxml.jackson.annotation.JsonProperty;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.PositiveOrZero;
import jakarta.validation.constraints.Size;
import java.util.List;
import org.hibernate.validator.constraints.CodePointLength;
import org.jspecify.annotations.Nullable;

/**
 * A failure as an agent reports it.
 *
 * @param failureClass its class, if the agent knows
 * @param httpStatus the status that the agent was answered with, 100 to 599
 * @param message for people, up to 4,000 characters
 * @param attempts what the agent tried, oldest first, up to 100; the last one classifies the whole
 * @param retryable the agent's own word on whether trying again makes sense; overrides everything
 * @param retryAfterS not before so many seconds, up to 30 days
 */
public record ReportedError(
        @JsonProperty("class") @Nullable FailureClass failureClass,
        @Nullable @Min(100) @Max(599) Integer httpStatus,
        @Nullable @CodePointLength(max = 4_000) String message,
        @Nullable @Size(max = 100) List<@NotNull @Valid Attempt> attempts,
        @Nullable Boolean retryable,
        @Nullable @PositiveOrZero @Max(2_592_000) Long retryAfterS) {

    /**
     * One of the tries that the agent made by itself.
     *
     * @param failureClass its class, if the agent knows
     * @param httpStatus 100 to 599
     * @param message for people, up to 4,000 characters
     */
    public record Attempt(
            @JsonProperty("class") @Nullable FailureClass failureClass,
            @Nullable @Min(100) @Max(599) Integer httpStatus,
            @Nullable @CodePointLength(max = 4_000) String message) {}
}
