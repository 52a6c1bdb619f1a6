package io.rollcall.claim;

import io.quarkus.runtime.ShutdownDelayInitiatedEvent;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.rollcall.queue.Waiters;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Waits for work without a thread or a connection. Woken by the commit that brings work here, and by a look at the
 * database behind it, for work that came through another replica, or whose time has come.
 */
@ApplicationScoped
public class LongPoll {
    private static final Logger LOG = Logger.getLogger(LongPoll.class);

    /** How long work of another replica may lie about while an agent waits here. */
    private static final long LOOK_EVERY_MS = 250;

    private final Claims claims;
    private final Waiters waiters;
    private volatile boolean stopping;
    private @Nullable ScheduledFuture<?> looking;

    LongPoll(Claims claims, Waiters waiters) {
        this.claims = claims;
        this.waiters = waiters;
    }

    void start(@Observes StartupEvent event) {
        looking = Infrastructure.getDefaultWorkerPool()
                .scheduleWithFixedDelay(this::look, LOOK_EVERY_MS, LOOK_EVERY_MS, TimeUnit.MILLISECONDS);
    }

    /** Everybody who waits goes home with nothing, while the service still answers. */
    void stopSoon(@Observes ShutdownDelayInitiatedEvent event) {
        stopping = true;
        waiters.queues().forEach(waiters::wakeAll);
    }

    /** The same where there is no delay, and nobody looks any more. */
    void stop(@Observes ShutdownEvent event) {
        stopping = true;
        if (looking != null) {
            looking.cancel(false);
        }
        waiters.queues().forEach(waiters::wakeAll);
    }

    /**
     * Claims, and waits for work where there is none.
     *
     * @param wait how long at most
     * @param gone whether the caller is not there any more: then nothing is claimed
     */
    public Uni<Claims.Claimed> claim(ClaimRequest request, Duration wait, BooleanSupplier gone) {
        return attempt(request, System.nanoTime() + wait.toNanos(), gone);
    }

    /** Parks first and looks then, so that work which comes in between is not missed. */
    private Uni<Claims.Claimed> attempt(ClaimRequest request, long untilNanos, BooleanSupplier gone) {
        CompletableFuture<Void> waiter = waiters.park(request.queue());
        return Uni.createFrom()
                .item(() -> claims.claim(request))
                .runSubscriptionOn(Infrastructure.getDefaultWorkerPool())
                .onFailure()
                .invoke(() -> waiters.leave(request.queue(), waiter))
                .onItem()
                .transformToUni(claimed -> {
                    long left = untilNanos - System.nanoTime();
                    if (!claimed.items().isEmpty() || left <= 0 || stopping) {
                        waiters.leave(request.queue(), waiter);
                        return Uni.createFrom().item(claimed);
                    }
                    return woken(waiter, Duration.ofNanos(left)).onItem().transformToUni(woken -> {
                        if (!woken || stopping || gone.getAsBoolean()) {
                            waiters.leave(request.queue(), waiter);
                        }
                        return stopping || gone.getAsBoolean()
                                ? Uni.createFrom().item(claimed)
                                : attempt(request, untilNanos, gone); // its time over, it looks once more
                    });
                });
    }

    /** Whether the waiter was woken before its time was over. */
    private static Uni<Boolean> woken(CompletableFuture<Void> waiter, Duration left) {
        return Uni.createFrom()
                .completionStage(() -> waiter.copy())
                .replaceWith(true)
                .ifNoItem()
                .after(left)
                .recoverWithItem(false);
    }

    private void look() {
        for (String queue : waiters.queues()) {
            try {
                int claimable = claims.countClaimable(queue, waiters.count(queue));
                waiters.wake(queue, claimable);
            } catch (RuntimeException e) {
                LOG.debugf(e, "Could not look for work in queue %s.", queue);
            }
        }
    }
}
