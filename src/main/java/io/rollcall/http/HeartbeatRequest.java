package io.rollcall.http;

import io.rollcall.lease.Beat;
import io.rollcall.lease.SelfDescription;
import io.rollcall.liveness.Probe;
import jakarta.validation.ConstraintViolation;
import jakarta.validation.ConstraintViolationException;
import jakarta.validation.Valid;
import jakarta.validation.Validator;
import jakarta.validation.constraints.DecimalMax;
import jakarta.validation.constraints.DecimalMin;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.Pattern;
import java.time.Duration;
import java.util.Set;
import java.util.UUID;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.hibernate.validator.constraints.CodePointLength;
import org.jspecify.annotations.Nullable;

/**
 * A heartbeat.
 *
 * @param epoch of the lease; may be left out only where no other attempt can ever be (direct, recovery none)
 * @param progress 0 to 1
 * @param note for people, up to 200 characters
 * @param effect {@code non_idempotent} while the agent does what must not be done twice, and "none" after
 * @param leaseTime a new lease time, which lasts
 * @param instance unique per start of the agent's process
 * @param probe how to find out whether the agent is alive
 */
@Schema(example = "{\"epoch\": 3, \"progress\": 0.4, \"note\": \"tests are running\", \"effect\": \"none\"}")
record HeartbeatRequest(
        @Nullable @Min(1) Long epoch,
        @Nullable @DecimalMin("0") @DecimalMax("1") Double progress,

        @Nullable @CodePointLength(max = HeartbeatRequest.MAX_NOTE)
        String note,

        @Nullable @Pattern(regexp = "none|non_idempotent") String effect,
        @Nullable @Span Duration leaseTime,
        @Nullable @Name String instance,
        @Nullable @Valid Probe probe) {

    /** Characters of a note. */
    static final int MAX_NOTE = 200;

    /**
     * Whether it breaks no rule at first sight, and so needs no validator: that takes longer than all else about a beat. It
     * is asked where this says no, and says why.
     */
    @Schema(hidden = true)
    boolean isPlain() {
        return (epoch == null || epoch >= 1)
                && (progress == null || (progress >= 0 && progress <= 1))
                && (note == null || note.length() <= MAX_NOTE)
                && effect == null
                && leaseTime == null
                && instance == null
                && probe == null;
    }

    /**
     * Refuses what breaks a rule.
     *
     * @throws ConstraintViolationException with each rule that is broken
     */
    void check(Validator validator) {
        Set<ConstraintViolation<HeartbeatRequest>> violations = violations(validator);
        if (!violations.isEmpty()) {
            throw new ConstraintViolationException(violations);
        }
    }

    /** Each rule that is broken. */
    Set<ConstraintViolation<HeartbeatRequest>> violations(Validator validator) {
        return isPlain() ? Set.of() : validator.validate(this);
    }

    /** The beat, once no rule is broken. */
    Beat toBeat(UUID id, CanonicalJson json) {
        SelfDescription agent = new SelfDescription(instance, json.ofNullable(probe));
        Boolean nonIdempotent = effect == null ? null : "non_idempotent".equals(effect);
        return new Beat(id, epoch, progress, note, nonIdempotent, leaseTime, agent);
    }
}
