package io.rollcall.delegation;

import io.rollcall.queue.QueueRepository;
import io.rollcall.queue.QueueSettings;
import io.rollcall.retry.Backoff;
import io.rollcall.retry.RetryConfig;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** When a delegation may be claimed again after an attempt that failed: by its queue's backoff, else by that of the settings. */
@ApplicationScoped
public class RequeueDelays {
    private final QueueRepository queues;
    private final RetryConfig retry;
    private final RandomGenerator random;

    RequeueDelays(QueueRepository queues, RetryConfig retry, RandomGenerator random) {
        this.queues = queues;
        this.retry = retry;
        this.random = random;
    }

    /**
     * When that is, counted from now.
     *
     * @param retryAfter the least that the failure itself asked for; null: nothing
     */
    public Instant availableAgain(Delegation delegation, @Nullable Duration retryAfter, Instant now) {
        Duration delay = backoff(delegation.terms().queue()).delay(delegation.requeueCount(), retryAfter, random);
        return now.plus(delay).truncatedTo(ChronoUnit.MICROS);
    }

    private Backoff backoff(@Nullable String queue) {
        QueueSettings settings = queue == null ? QueueSettings.unset("") : queues.find(queue);
        return new Backoff(
                settings.backoffBase() == null ? retry.backoffBase() : settings.backoffBase(),
                settings.backoffCap() == null ? retry.backoffCap() : settings.backoffCap());
    }
}
