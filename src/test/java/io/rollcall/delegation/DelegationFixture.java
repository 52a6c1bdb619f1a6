package io.rollcall.delegation;

import io.rollcall.lease.Lease;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Delegations in memory, brought into a state by what really happens to them. */
public final class DelegationFixture {
    /** When they are registered. */
    public static final Instant REGISTERED = Instant.parse("2026-03-01T10:00:00Z");

    /** Their deadline. */
    public static final Instant DEADLINE = REGISTERED.plus(Duration.ofHours(6));

    /** Who does everything to them. */
    public static final Evidence EVIDENCE = Evidence.ofAgent("a-1");

    private DelegationFixture() {}

    /** Direct, without another attempt. */
    public static Terms direct() {
        return terms("a-1", null, Recovery.NONE, 3, null);
    }

    /** Direct, falls back to a queue. */
    public static Terms directWithQueue() {
        return terms("a-1", "q", Recovery.REQUEUE, 3, null);
    }

    /** Queued from the start. */
    public static Terms queued(@Nullable Duration queueTimeout) {
        return terms(null, "q", Recovery.REQUEUE, 3, queueTimeout);
    }

    /** What matters to the tests; the rest is the same for all. */
    public static Terms terms(
            @Nullable String agent,
            @Nullable String queue,
            Recovery recovery,
            int maxRequeues,
            @Nullable Duration queueTimeout) {
        return terms(agent, queue, recovery, maxRequeues, queueTimeout, null);
    }

    /** The same with a limit on each attempt. */
    public static Terms terms(
            @Nullable String agent,
            @Nullable String queue,
            Recovery recovery,
            int maxRequeues,
            @Nullable Duration queueTimeout,
            @Nullable Duration maxRunning) {
        return new Terms("c-1", agent, queue, "task", recovery, maxRequeues, null, queueTimeout, maxRunning, null);
    }

    /** The hold under which an agent works on one. */
    public static Lease attempt() {
        return new Lease(
                UUID.fromString("01890000-0000-7000-8000-000000000001"),
                1,
                "a-1",
                REGISTERED,
                REGISTERED.plusSeconds(20),
                REGISTERED.plusSeconds(620),
                null,
                Duration.ofMinutes(10),
                0.5,
                "half way",
                true,
                false,
                false,
                false,
                true);
    }

    /** Newly registered, claimable at once. */
    public static Delegation registered(Terms terms) {
        return registered(terms, DEADLINE, REGISTERED);
    }

    /** Newly registered. */
    public static Delegation registered(Terms terms, Instant deadlineAt, Instant availableAt) {
        NewDelegation request = new NewDelegation(
                "",
                UUID.fromString("01890000-0000-7000-8000-000000000001"),
                Wanted.as(terms, terms.agent(), terms.queue()),
                5,
                Map.of("team", "blue"),
                "{\"n\":1}",
                deadlineAt,
                null,
                availableAt,
                Lineage.NONE,
                null,
                null,
                null);
        return new Delegation(request, terms, deadlineAt, availableAt, REGISTERED);
    }

    /** One in that status, which it reached before {@code REGISTERED} plus one minute. */
    public static Delegation in(DelegationStatus status) {
        Delegation delegation = registered(status == DelegationStatus.QUEUED ? queued(null) : directWithQueue());
        Instant then = REGISTERED.plusSeconds(30);
        switch (status) {
            case QUEUED, DISPATCHED -> {}
            case IN_PROGRESS -> delegation.begin(EVIDENCE, then);
            case STUCK ->
                delegation.lose(
                        Aftermath.STUCK,
                        new Mishap(Reason.HEARTBEAT_STALE, true, null),
                        attempt(),
                        then,
                        EVIDENCE,
                        then);
            case COMPLETED -> delegation.complete(Reason.AGENT_REPORTED, "{\"kept\":1}", EVIDENCE, then);
            case FAILED -> delegation.giveUp(Reason.DEADLINE_EXCEEDED, true, "{\"kept\":2}", EVIDENCE, then);
            case CANCELLED -> delegation.cancel("{\"kept\":3}", EVIDENCE, then);
        }
        return delegation;
    }

    /** One in that status, whose end was asked for while it was in flight; before that, of any other status. */
    public static Delegation cancellationAsked(DelegationStatus status, Instant cancelBy) {
        Delegation delegation = in(status);
        if (status.isInFlight()) {
            delegation.askCancel(cancelBy, EVIDENCE, REGISTERED.plusSeconds(45));
        }
        return delegation;
    }
}
