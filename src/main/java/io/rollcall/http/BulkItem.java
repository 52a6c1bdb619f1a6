package io.rollcall.http;

import jakarta.validation.constraints.DecimalMax;
import jakarta.validation.constraints.DecimalMin;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import java.time.Duration;
import java.util.UUID;
import org.hibernate.validator.constraints.CodePointLength;
import org.jspecify.annotations.Nullable;

/** One heartbeat of many: as a single one, with the id of its delegation. */
record BulkItem(
        @NotNull UUID id,
        @Nullable @Min(1) Long epoch,
        @Nullable @DecimalMin("0") @DecimalMax("1") Double progress,

        @Nullable @CodePointLength(max = HeartbeatRequest.MAX_NOTE)
        String note,

        @Nullable @Pattern(regexp = "none|non_idempotent") String effect,

        @Nullable @Span Duration leaseTime) {

    /** The same without the id. */
    HeartbeatRequest request() {
        return new HeartbeatRequest(epoch, progress, note, effect, leaseTime);
    }
}
