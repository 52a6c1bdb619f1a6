package io.rollcall.testing;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.IntFunction;

/** Several calls at the same moment, each in a thread of its own. */
public final class TestParallel {
    private static final long PATIENCE_S = 300;

    private TestParallel() {}

    /** Calls that many times, all let go together; the answers in the order of their numbers, from 0. */
    public static <T> List<T> times(int calls, IntFunction<T> call) {
        List<Callable<T>> all = new ArrayList<>();
        for (int i = 0; i < calls; i++) {
            int number = i;
            all.add(() -> call.apply(number));
        }
        return all(all);
    }

    /** Calls them all, let go together; their answers in order. What one throws is thrown. */
    public static <T> List<T> all(List<? extends Callable<? extends T>> calls) {
        CountDownLatch ready = new CountDownLatch(calls.size());
        ExecutorService threads = Executors.newFixedThreadPool(calls.size());
        try {
            List<Future<T>> futures = new ArrayList<>();
            for (Callable<? extends T> call : calls) {
                futures.add(threads.submit(() -> {
                    ready.countDown();
                    ready.await();
                    return call.call();
                }));
            }
            List<T> answers = new ArrayList<>();
            for (Future<T> future : futures) {
                answers.add(future.get(PATIENCE_S, TimeUnit.SECONDS));
            }
            return answers;
        } catch (ExecutionException | InterruptedException | TimeoutException e) {
            throw new AssertionError("a parallel call failed", e);
        } finally {
            threads.shutdownNow();
        }
    }

    /** Begins one call in a thread of its own, to be waited for later. */
    public static <T> Future<T> begin(Callable<T> call) {
        ExecutorService thread = Executors.newSingleThreadExecutor();
        try {
            return thread.submit(call);
        } finally {
            thread.shutdown();
        }
    }
}
