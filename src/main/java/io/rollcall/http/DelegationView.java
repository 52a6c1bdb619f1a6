package io.rollcall.http;

import io.rollcall.delegation.Delegation;
import io.rollcall.delegation.DelegationDetail;
import io.rollcall.delegation.DelegationStatus;
import io.rollcall.delegation.Outcome;
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
@Schema(
        name = "Delegation",
        example = "{\"id\": \"01890a5d-ac96-774b-bcce-b302099a8057\", \"caller\": \"web-shop\", "
                + "\"agent\": \"builder-7\", \"task\": \"Build the image of commit 4f2a\", "
                + "\"labels\": {\"team\": \"search\"}, \"priority\": 5, \"status\": \"stuck\", "
                + "\"reason\": \"heartbeat_stale\", \"cause\": \"heartbeat_stale\", \"retryable\": true, "
                + "\"version\": 2, \"createdAt\": \"2026-01-02T03:04:05.123456Z\", "
                + "\"updatedAt\": \"2026-01-02T03:24:05.123456Z\", "
                + "\"deadlineAt\": \"2026-01-02T09:04:05.123456Z\", \"requeueCount\": 0, \"maxRequeues\": 3, "
                + "\"recovery\": \"none\", \"lease\": {\"epoch\": 1, \"holder\": \"builder-7\", "
                + "\"leaseTime\": \"PT10M\", \"staleAt\": \"2026-01-02T03:20:05.123456Z\", "
                + "\"lastHeartbeatAt\": \"2026-01-02T03:10:05.123456Z\", \"heartbeatEvery\": \"PT3M20S\", "
                + "\"effect\": \"none\"}}")
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
        @Nullable OutcomeView outcome,
        @Schema(description = "Any JSON") @Nullable RawJson result,

        @Schema(description = "The last reported failure") @Nullable
        RawJson error,

        @Nullable UUID retryOf,
        @Nullable UUID retriedBy,
        @Nullable UUID parentId,

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

    /** What the run of the present or last attempt ended with. */
    @Schema(name = "Outcome")
    record OutcomeView(int exitCode, @Nullable String note, Instant at) {
        static OutcomeView of(Outcome outcome) {
            return new OutcomeView(outcome.exitCode(), outcome.note(), outcome.at());
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
                delegation.outcome() == null ? null : OutcomeView.of(delegation.outcome()),
                detail.body() == null ? null : raw(detail.body().result()),
                raw(delegation.error()),
                delegation.retryOf(),
                detail.retriedBy(),
                delegation.parentId(),
                previous,
                disposition);
    }

    static @Nullable RawJson raw(@Nullable String text) {
        return text == null ? null : new RawJson(text);
    }
}
