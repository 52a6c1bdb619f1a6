package io.rollcall.http;

import io.rollcall.delegation.FirstBeats;
import io.rollcall.error.LostRace;
import io.rollcall.lease.Beat;
import io.rollcall.lease.BeatsRefusedException;
import io.rollcall.lease.Heartbeats;
import io.rollcall.lease.Renewal;
import io.smallrye.faulttolerance.api.RetryWhen;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.eclipse.microprofile.context.ManagedExecutor;
import org.eclipse.microprofile.context.ThreadContext;
import org.eclipse.microprofile.faulttolerance.Retry;
import org.jspecify.annotations.Nullable;

/** The way of every heartbeat: the hot path first, and where that has no answer the ordinary one. */
@ApplicationScoped
class Beats {
    /** First beats a transaction. */
    private static final int FIRST_BEATS = 500;

    /** Beats on the ordinary path at once: more would only wait for connections, and keep them from everybody else. */
    private static final int ORDINARY_AT_ONCE = 8;

    private static final int ORDINARY_WAITING = 20_000;

    /** How long a beat waits for the ordinary path: with what it then takes, an answer comes within five seconds. */
    private static final Duration PATIENCE = Duration.ofSeconds(4);

    private final Heartbeats heartbeats;
    private final Ordinary ordinary;
    private final ManagedExecutor threads = ManagedExecutor.builder()
            .maxAsync(ORDINARY_AT_ONCE)
            .maxQueued(ORDINARY_WAITING)
            .propagated()
            .cleared(ThreadContext.ALL_REMAINING)
            .build();

    Beats(Heartbeats heartbeats, Ordinary ordinary) {
        this.heartbeats = heartbeats;
        this.ordinary = ordinary;
    }

    /** Renews a lease. No thread waits meanwhile; fails with the refusal that the client is to see. */
    Uni<Renewal> beat(Beat beat) {
        return Uni.createFrom()
                .completionStage(() -> heartbeats.renew(beat))
                .onItem()
                .transformToUni(renewal -> renewal.map(Uni.createFrom()::item).orElseGet(() -> beatOrdinarily(beat)));
    }

    /**
     * What the hot path says to one beat; where it says nothing the ordinary path has to decide.
     *
     * @param renewal of the lease, if it was renewed
     * @param refusal why it was not looked at, if it was not
     */
    record Answer(@Nullable Renewal renewal, @Nullable BeatsRefusedException refusal) {}

    /** Asks the hot path for many; completes when each is answered, in their order. No thread waits meanwhile. */
    Uni<List<Answer>> renewAll(List<Beat> beats) {
        if (beats.isEmpty()) {
            return Uni.createFrom().item(List.of());
        }
        return Uni.createFrom().emitter(emitter -> {
            @Nullable Answer[] answers = new Answer[beats.size()];
            AtomicInteger missing = new AtomicInteger(answers.length);
            for (int i = 0; i < answers.length; i++) {
                int place = i;
                heartbeats.renew(beats.get(i), (renewal, refusal) -> {
                    answers[place] = new Answer(renewal, refusal);
                    if (missing.decrementAndGet() == 0) {
                        emitter.complete(Arrays.asList(answers));
                    }
                });
            }
        });
    }

    /** Renews a lease by the path that can begin a delegation, and can say what is wrong. */
    Uni<Renewal> beatOrdinarily(Beat beat) {
        long sinceNanos = System.nanoTime();
        return Uni.createFrom()
                .item(() -> {
                    if (System.nanoTime() - sinceNanos > PATIENCE.toNanos()) {
                        throw BeatsRefusedException.overloaded();
                    }
                    return ordinary.beat(beat);
                })
                .runSubscriptionOn(threads)
                .onFailure(RejectedExecutionException.class)
                .transform(failure -> BeatsRefusedException.overloaded());
    }

    /**
     * Writes what is the first beat of a delegation among many beats, some hundred at a time.
     *
     * @return the renewals of those; of the others nothing is said
     */
    Uni<Map<Beat, Renewal>> begin(List<Beat> beats) {
        return Uni.createFrom().item(() -> beginNow(beats)).runSubscriptionOn(threads);
    }

    private Map<Beat, Renewal> beginNow(List<Beat> beats) {
        Map<UUID, Beat> earliest = new HashMap<>();
        beats.forEach(beat -> earliest.putIfAbsent(beat.delegationId(), beat));
        List<UUID> awaited = ordinary.findAwaited(earliest.keySet());
        Map<Beat, Renewal> begun = new HashMap<>();
        for (int from = 0; from < awaited.size(); from += FIRST_BEATS) {
            List<UUID> some = awaited.subList(from, Math.min(from + FIRST_BEATS, awaited.size()));
            ordinary.beatAll(some.stream().map(earliest::get).toList())
                    .forEach(renewal -> begun.put(earliest.get(renewal.delegationId()), renewal));
        }
        return begun;
    }

    /** The ordinary path, tried again where others changed the delegation meanwhile. */
    @ApplicationScoped
    static class Ordinary {
        private final FirstBeats firstBeats;

        Ordinary(FirstBeats firstBeats) {
            this.firstBeats = firstBeats;
        }

        @Retry(maxRetries = 5, delay = 20, jitter = 20)
        @RetryWhen(exception = LostRace.class)
        Renewal beat(Beat beat) {
            return firstBeats.beat(beat);
        }

        List<UUID> findAwaited(Collection<UUID> ids) {
            return firstBeats.findAwaited(ids);
        }

        @Retry(maxRetries = 5, delay = 20, jitter = 20)
        @RetryWhen(exception = LostRace.class)
        List<Renewal> beatAll(Collection<Beat> beats) {
            return firstBeats.beatAll(beats);
        }
    }
}
