package io.rollcall.delegation;

import jakarta.persistence.Column;
import jakarta.persistence.Embeddable;
import java.time.Duration;
import org.hibernate.annotations.JdbcTypeCode;
import org.hibernate.type.SqlTypes;
import org.jspecify.annotations.Nullable;

/**
 * What was agreed when a delegation was registered. Never changes afterwards: a change of settings touches only new ones.
 *
 * @param caller who asked for it
 * @param agent who is to do it; null where any agent of the queue may
 * @param queue where it waits to be claimed, at first or after a requeue; null where it never does
 * @param task what is to be done, 1 to 1,000 characters
 * @param recovery what becomes of it when an attempt goes wrong
 * @param maxRequeues how often it may be queued again, 0 to 100
 * @param heartbeatTimeout lease time of its attempts; null: that of the queue, else of the settings
 * @param queueTimeout how long it may wait once it is claimable; null: until its deadline
 * @param maxRunning how long one attempt may last; null: until its deadline
 * @param gate who is asked whether work that was reported as successful counts, as JSON; null: nobody
 */
@Embeddable
public record Terms(
        @Column(updatable = false) String caller,
        @Column(updatable = false) @Nullable String agent,
        @Column(updatable = false) @Nullable String queue,
        @Column(updatable = false) String task,
        @Column(updatable = false) Recovery recovery,
        @Column(updatable = false) int maxRequeues,

        @Column(name = "heartbeat_timeout_us", updatable = false) @Nullable
        Duration heartbeatTimeout,

        @Column(name = "queue_timeout_us", updatable = false) @Nullable
        Duration queueTimeout,

        @Column(name = "max_running_us", updatable = false) @Nullable
        Duration maxRunning,

        @JdbcTypeCode(SqlTypes.JSON) @Column(updatable = false) @Nullable
        String gate) {

    /** Whether it was handed to a named agent at registration, instead of being queued. */
    public boolean isDirect() {
        return agent != null;
    }

    /** Whether no other attempt can ever be, so that an agent may leave out its epoch. */
    public boolean isSoleAttempt() {
        return isDirect() && recovery == Recovery.NONE;
    }
}
