package io.rollcall.delegation;

import io.rollcall.queue.QueueSettings;
import io.rollcall.retry.RetryConfig;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a caller wants agreed; null where it leaves the choice to the queue or to the settings. See {@link Terms}.
 *
 * @param caller who asks for it
 * @param agent who is to do it; null: any agent of the queue
 * @param queue where it waits, at first or after a requeue
 * @param task what is to be done
 * @param recovery what becomes of it when an attempt goes wrong
 * @param maxRequeues how often it may be queued again
 * @param heartbeatTimeout lease time of its attempts
 * @param queueTimeout how long it may wait once it is claimable
 * @param maxRunning how long one attempt may last
 * @param gate who is asked whether work that was reported as successful counts, as JSON
 */
public record Wanted(
        String caller,
        @Nullable String agent,
        @Nullable String queue,
        String task,
        @Nullable Recovery recovery,
        @Nullable Integer maxRequeues,
        @Nullable Duration heartbeatTimeout,
        @Nullable Duration queueTimeout,
        @Nullable Duration maxRunning,
        @Nullable String gate) {

    private static final String DEFAULT_QUEUE = "default";

    /** The recovery that counts: none for direct ones, requeue for queued ones, unless stated. */
    Recovery effectiveRecovery() {
        return recovery != null ? recovery : agent != null ? Recovery.NONE : Recovery.REQUEUE;
    }

    /** The queue that counts: the default one for whatever may ever be queued, unless stated; null for the rest. */
    @Nullable
    String effectiveQueue() {
        boolean mayBeQueued = agent == null || effectiveRecovery() == Recovery.REQUEUE;
        return queue == null && mayBeQueued ? DEFAULT_QUEUE : queue;
    }

    /** Freezes it, filled in from the queue first and from the settings then. */
    Terms frozen(QueueSettings settings, RetryConfig retry, DelegationConfig config) {
        return new Terms(
                caller,
                agent,
                effectiveQueue(),
                task,
                effectiveRecovery(),
                first(maxRequeues, settings.maxRequeues()).orElse(retry.maxRequeues()),
                heartbeatTimeout,
                first(queueTimeout, settings.queueTimeout()).orElse(null),
                first(maxRunning, settings.maxRunning()).or(config::maxRunning).orElse(null),
                first(gate, settings.gate()).orElse(null));
    }

    /** The same as another delegation was agreed on. */
    static Wanted as(Terms terms, @Nullable String agent, @Nullable String queue) {
        return new Wanted(
                terms.caller(),
                agent,
                queue,
                terms.task(),
                terms.recovery(),
                terms.maxRequeues(),
                terms.heartbeatTimeout(),
                terms.queueTimeout(),
                terms.maxRunning(),
                terms.gate());
    }

    private static <T> Optional<T> first(@Nullable T stated, @Nullable T ofQueue) {
        return Optional.ofNullable(stated == null ? ofQueue : stated);
    }
}
