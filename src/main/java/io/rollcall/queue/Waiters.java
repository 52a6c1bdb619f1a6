package io.rollcall.queue;

import jakarta.enterprise.context.ApplicationScoped;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * Who waits for work in which queue. A waiter holds neither a thread nor a connection; the one that has waited longest is
 * woken first, and what it missed by not looking is at most what others took.
 */
@ApplicationScoped
public class Waiters {
    private final Map<String, Deque<CompletableFuture<Void>>> parked = new HashMap<>();

    /** Begins to wait. Completes when there may be work; whoever stops waiting before that must {@link #leave}. */
    public CompletableFuture<Void> park(String queue) {
        CompletableFuture<Void> waiter = new CompletableFuture<>();
        synchronized (parked) {
            parked.computeIfAbsent(queue, name -> new ArrayDeque<>()).add(waiter);
        }
        return waiter;
    }

    /** Stops waiting. A waiter that was woken meanwhile passes it on, so that no work lies about while others wait. */
    public void leave(String queue, CompletableFuture<Void> waiter) {
        boolean wasParked;
        synchronized (parked) {
            Deque<CompletableFuture<Void>> waiters = parked.get(queue);
            wasParked = waiters != null && waiters.removeIf(other -> other == waiter);
            if (waiters != null && waiters.isEmpty()) {
                parked.remove(queue);
            }
        }
        if (!wasParked) {
            wake(queue, 1);
        }
    }

    /** Wakes up to {@code count} of those who wait in a queue. Call it after the commit that brought the work. */
    public void wake(String queue, int count) {
        for (int i = 0; i < count; i++) {
            CompletableFuture<Void> waiter;
            synchronized (parked) {
                Deque<CompletableFuture<Void>> waiters = parked.get(queue);
                waiter = waiters == null ? null : waiters.poll();
                if (waiters != null && waiters.isEmpty()) {
                    parked.remove(queue);
                }
            }
            if (waiter == null) {
                return;
            }
            waiter.complete(null);
        }
    }

    /** Wakes all who wait in a queue. */
    public void wakeAll(String queue) {
        wake(queue, Integer.MAX_VALUE);
    }

    /** The queues in which anybody waits. */
    public Set<String> queues() {
        synchronized (parked) {
            return Set.copyOf(parked.keySet());
        }
    }

    /** How many wait in a queue. */
    public int count(String queue) {
        synchronized (parked) {
            Deque<CompletableFuture<Void>> waiters = parked.get(queue);
            return waiters == null ? 0 : waiters.size();
        }
    }
}
