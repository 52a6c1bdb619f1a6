package io.rollcall.sweep;

import io.rollcall.delegation.DelegationStatus;
import io.rollcall.delegation.GateVerdict;
import io.rollcall.delegation.Outcome;
import io.rollcall.delegation.Recovery;
import io.rollcall.lease.Lease;
import io.rollcall.liveness.DeadHolder;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** All rules, and what they judge, without a container. */
final class Rules {
    /** When the lease of every snapshot was acquired. */
    static final Instant ACQUIRED = Instant.parse("2026-03-01T10:00:00Z");

    private Rules() {}

    /** Every rule there is, in no particular order. */
    static List<SweepRule> list() {
        return List.of(
                new StaleHeartbeatRule(),
                new MaxRunningRule(),
                new FinalizationRule(config(Map.of())),
                new AgentDeadRule(),
                new QueueTimeoutRule(),
                new DeadlineRule(),
                new CancelRule());
    }

    /** The book with all rules switched on. */
    static RuleBook all() {
        return new RuleBook(list(), config(Map.of()));
    }

    /** The book without some rules. */
    static RuleBook without(RuleName... off) {
        return new RuleBook(
                list(),
                config(Arrays.stream(off)
                        .collect(Collectors.toMap(
                                rule -> "rollcall.sweeper.rules." + rule.wireName(), rule -> "false"))));
    }

    static SweepConfig config(Map<String, String> settings) {
        return new SweepConfig(new SmallRyeConfigBuilder()
                .withSources(new PropertiesConfigSource(settings, "test", 100))
                .build());
    }

    /** Starts one that is due for nothing. */
    static Builder snapshot(DelegationStatus status) {
        return new Builder(status);
    }

    /** Builds a snapshot; one that holds a lease has one which cannot go stale. */
    static final class Builder {
        private final DelegationStatus status;
        private Recovery recovery = Recovery.NONE;
        private boolean hasBudget;
        private Instant deadlineAt = ACQUIRED.plus(Duration.ofDays(20));
        private @Nullable Instant availableAt;
        private @Nullable Duration queueTimeout;
        private @Nullable Duration maxRunning;
        private @Nullable Instant cancelBy;
        private @Nullable Outcome outcome;
        private boolean awaitsGate;
        private @Nullable GateVerdict gateVerdict;
        private @Nullable Instant staleAt;
        private @Nullable Instant excusedUntil;
        private boolean nonIdempotent;
        private @Nullable DeadHolder dead;

        private Builder(DelegationStatus status) {
            this.status = status;
        }

        Builder recovery(Recovery value) {
            recovery = value;
            return this;
        }

        Builder hasBudget(boolean value) {
            hasBudget = value;
            return this;
        }

        Builder deadlineAt(Instant value) {
            deadlineAt = value;
            return this;
        }

        Builder queueTimeout(@Nullable Instant from, @Nullable Duration timeout) {
            availableAt = from;
            queueTimeout = timeout;
            return this;
        }

        Builder staleAt(@Nullable Instant value) {
            staleAt = value;
            return this;
        }

        Builder maxRunning(Duration value) {
            maxRunning = value;
            return this;
        }

        Builder outcome(int exitCode, Instant at) {
            outcome = new Outcome(exitCode, null, at, false);
            return this;
        }

        /** One that its agent has reported as completed. */
        Builder reported(Instant at) {
            outcome = new Outcome(0, null, at, true);
            return this;
        }

        /** One whose gate decides; null as long as it has not answered. */
        Builder gate(@Nullable GateVerdict verdict) {
            awaitsGate = true;
            gateVerdict = verdict;
            return this;
        }

        Builder cancelBy(Instant value) {
            cancelBy = value;
            return this;
        }

        Builder excusedUntil(@Nullable Instant value) {
            excusedUntil = value;
            return this;
        }

        Builder dead(DeadHolder value) {
            dead = value;
            return this;
        }

        Builder nonIdempotent() {
            nonIdempotent = true;
            return this;
        }

        DelegationSnapshot build() {
            return new DelegationSnapshot(
                    status,
                    recovery,
                    hasBudget,
                    deadlineAt,
                    availableAt,
                    queueTimeout,
                    maxRunning,
                    cancelBy,
                    outcome,
                    awaitsGate,
                    gateVerdict,
                    status.holdsLease() ? lease() : null,
                    dead);
        }

        private Lease lease() {
            Duration leaseTime = Duration.ofMinutes(10);
            return new Lease(
                    UUID.fromString("01890000-0000-7000-8000-000000000001"),
                    1,
                    "a-1",
                    ACQUIRED,
                    staleAt == null ? null : staleAt.minus(leaseTime),
                    staleAt,
                    excusedUntil,
                    leaseTime,
                    null,
                    null,
                    staleAt != null,
                    status == DelegationStatus.STUCK,
                    cancelBy != null,
                    recovery == Recovery.NONE,
                    nonIdempotent);
        }
    }
}
