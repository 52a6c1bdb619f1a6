package io.rollcall.http;

import io.rollcall.delegation.DelegationStatus;
import io.rollcall.lease.Lease;
import io.rollcall.lease.Renewal;
import java.time.Duration;
import java.time.Instant;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * The answer to a heartbeat that renewed its lease.
 *
 * @param status of the delegation: in progress, or stuck although it beats again
 * @param epoch of the lease
 * @param staleAt when the lease goes stale unless another beat comes
 * @param heartbeatEvery how often to beat: a third of the lease time
 * @param now the database's clock
 * @param directive {@code continue}, or {@code cancel}: stop and report
 */
@Schema(
        example =
                "{\"status\": \"in_progress\", \"epoch\": 3, \"staleAt\": \"2026-01-02T03:14:05.123456Z\","
                        + " \"heartbeatEvery\": \"PT3M20S\", \"now\": \"2026-01-02T03:04:05.123456Z\", \"directive\": \"continue\"}")
record HeartbeatAnswer(
        DelegationStatus status,
        long epoch,
        Instant staleAt,
        Duration heartbeatEvery,
        Instant now,
        Directive directive) {

    /** What the agent is to do. */
    enum Directive {
        /** Go on. */
        CONTINUE,
        /** Stop and report. */
        CANCEL;

        static Directive of(Renewal renewal) {
            return renewal.cancelAsked() ? CANCEL : CONTINUE;
        }
    }

    static HeartbeatAnswer of(Renewal renewal) {
        return new HeartbeatAnswer(
                statusOf(renewal),
                renewal.epoch(),
                renewal.staleAt(),
                Lease.heartbeatEvery(renewal.leaseTime()),
                renewal.now(),
                Directive.of(renewal));
    }

    static DelegationStatus statusOf(Renewal renewal) {
        return renewal.stuck() ? DelegationStatus.STUCK : DelegationStatus.IN_PROGRESS;
    }
}
