package io.rollcall.redrive;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A retry of many delegations.
 *
 * @param id its identity
 * @param state {@code running}, {@code done} or {@code cancelled}
 * @param createdAt when it was asked for
 * @param finishedAt when it was done or cancelled
 * @param filter which delegations it was asked for, as JSON; null where they were named
 * @param perSecond how many it retries in a second
 * @param note the operator's
 * @param matched how many delegations it is about
 * @param retried how many have a successor by it
 * @param skipped how many could not be retried any more when their turn came
 * @param waiting how many are still to come
 */
public record Redrive(
        UUID id,
        String state,
        Instant createdAt,
        @Nullable Instant finishedAt,
        @Nullable String filter,
        int perSecond,
        @Nullable String note,
        long matched,
        long retried,
        long skipped,
        long waiting) {}
