package io.rollcall.http;

import io.rollcall.delegation.Delegation;
import io.rollcall.delegation.DelegationDetail;
import io.rollcall.delegation.DelegationStatus;
import io.rollcall.delegation.RawJson;
import io.rollcall.delegation.Reason;
import io.rollcall.delegation.Recovery;
import io.rollcall.delegation.Terms;
import io.rollcall.lease.Lease;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/** A delegation as clients see it; what does not apply is left out. Lists leave out payload and result. */
@Schema(name = "Delegation")
record DelegationView(
        UUID id,
        String caller,
        @Nullable String agent,
        @Nullable String queue,
        String task,
        @Schema(description = "Any JSON") @Nullable RawJson payload,
        Map<String, String> labels,
        int priority,
        DelegationStatus status,
        @Nullable Reason reason,
        @Nullable Reason cause,
        @Nullable Boolean retryable,
        long version,
        Instant createdAt,
        Instant updatedAt,
        @Nullable Instant startedAt,
        @Nullable Instant finishedAt,
        Instant deadlineAt,
        @Nullable Instant availableAt,
        @Nullable Instant cancelBy,
        @Nullable Duration heartbeatTimeout,
        @Nullable Duration queueTimeout,
        @Nullable Duration maxRunning,
        int requeueCount,
        int maxRequeues,
        Recovery recovery,
        @Nullable LeaseView lease,
        @Schema(description = "Any JSON") @Nullable RawJson result,

        @Schema(description = "The last reported failure") @Nullable
        RawJson error,

        @Nullable UUID retryOf,
        @Nullable UUID retriedBy,

        @Schema(description = "What the last attempt left behind. Only in answers to claims.") @Nullable
        RawJson previous,

        @Schema(description = "What a report led to: settled, requeued or released. Only in answers to reports.")
        @Nullable
        String disposition) {

    /** The hold on a delegation. */
    @Schema(name = "Lease")
    record LeaseView(
            long epoch,
            String holder,
            Duration leaseTime,
            @Nullable Instant staleAt,
            @Nullable Instant lastHeartbeatAt,
            Duration heartbeatEvery,
            @Nullable Double progress,
            @Nullable String note,
            String effect) {

        static LeaseView of(Lease lease) {
            return new LeaseView(
                    lease.epoch(),
                    lease.holder(),
                    lease.leaseTime(),
                    lease.staleAt(),
                    lease.lastBeatAt(),
                    lease.heartbeatEvery(),
                    lease.progress(),
                    lease.note(),
                    lease.effect());
        }
    }

    static DelegationView of(DelegationDetail detail) {
        return of(detail, null);
    }

    /** As its new holder sees it. */
    static DelegationView claimed(DelegationDetail detail) {
        return of(detail, raw(detail.delegation().previous()), null);
    }

    static DelegationView of(DelegationDetail detail, @Nullable String disposition) {
        return of(detail, null, disposition);
    }

    private static DelegationView of(
            DelegationDetail detail, @Nullable RawJson previous, @Nullable String disposition) {
        Delegation delegation = detail.delegation();
        Terms terms = delegation.terms();
        return new DelegationView(
                delegation.id(),
                terms.caller(),
                terms.agent(),
                terms.queue(),
                terms.task(),
                detail.body() == null ? null : raw(detail.body().payload()),
                delegation.labels(),
                delegation.priority(),
                delegation.status(),
                delegation.reason(),
                delegation.cause(),
                delegation.retryable(),
                delegation.version(),
                delegation.createdAt(),
                delegation.updatedAt(),
                delegation.startedAt(),
                delegation.finishedAt(),
                delegation.deadlineAt(),
                delegation.availableAt(),
                delegation.cancelBy(),
                terms.heartbeatTimeout(),
                terms.queueTimeout(),
                terms.maxRunning(),
                delegation.requeueCount(),
                terms.maxRequeues(),
                terms.recovery(),
                detail.lease() == null ? null : LeaseView.of(detail.lease()),
                detail.body() == null ? null : raw(detail.body().result()),
                raw(delegation.error()),
                delegation.retryOf(),
                detail.retriedBy(),
                previous,
                disposition);
    }

    static @Nullable RawJson raw(@Nullable String text) {
        return text == null ? null : new RawJson(text);
    }
}
