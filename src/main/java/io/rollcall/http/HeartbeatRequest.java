package io.rollcall.http;

import io.rollcall.lease.Beat;
import jakarta.validation.constraints.DecimalMax;
import jakarta.validation.constraints.DecimalMin;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.Pattern;
import java.time.Duration;
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
 */
@Schema(example = "{\"epoch\": 3, \"progress\": 0.4, \"note\": \"tests are running\", \"effect\": \"none\"}")
record HeartbeatRequest(
        @Nullable @Min(1) Long epoch,
        @Nullable @DecimalMin("0") @DecimalMax("1") Double progress,
        @Nullable @CodePointLength(max = 200) String note,
        @Nullable @Pattern(regexp = "none|non_idempotent") String effect,
        @Nullable @Span Duration leaseTime) {

    Beat toBeat(UUID id) {
        return new Beat(id, epoch, progress, note, effect == null ? null : "non_idempotent".equals(effect), leaseTime);
    }
}
