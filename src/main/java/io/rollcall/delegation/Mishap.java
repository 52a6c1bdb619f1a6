package io.rollcall.delegation;

import org.jspecify.annotations.Nullable;

/**
 * What went wrong with an attempt.
 *
 * @param cause what
 * @param retryable whether trying again makes sense; null where nobody can say
 * @param error what the agent reported, as JSON; null leaves an earlier report as it is
 */
public record Mishap(
        Reason cause, @Nullable Boolean retryable, @Nullable String error) {}
