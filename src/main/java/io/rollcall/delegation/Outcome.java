package io.rollcall.delegation;

import jakarta.persistence.Column;
import jakarta.persistence.Embeddable;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What the run of an attempt ended with, recorded before its finalization: what is left to do, such as pushing.
 *
 * @param exitCode 0 where it succeeded
 * @param note for people, up to 1,000 characters
 * @param at when it was recorded, by the database's clock
 * @param reported whether its agent has said that the delegation is completed: then nothing is waited for but the gate
 */
@Embeddable
public record Outcome(
        @Column(name = "outcome_exit_code") int exitCode,
        @Column(name = "outcome_note") @Nullable String note,
        @Column(name = "outcome_at") Instant at,
        @Column(name = "outcome_reported") boolean reported) {}
