package io.rollcall.lease;

import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.rollcall.error.DatabaseTrouble;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The hot path. Beats wait in a bounded queue; while one statement is under way the next batch gathers, so that one
 * transaction carries many (group commit) and an idle service adds no delay. A caller is answered after the commit.
 * Beats for leases that have not begun, are gone, or carry another epoch come back empty and take the ordinary path.
 */
@ApplicationScoped
public class Heartbeats {
    private static final Logger LOG = Logger.getLogger(Heartbeats.class);

    /** Beats a statement: beyond this the statement takes longer than the round trip that it saves. */
    private static final int BATCH = 1_000;

    private final BeatRepository beats;
    private final AcceptanceRepository acceptance;
    private final MeterRegistry meters;
    private final BlockingQueue<Waiting> queue;
    private final Thread writer = new Thread(this::writeBatches, "heartbeats");

    private volatile boolean stopping;
    private volatile boolean refusedSinceLastNote;

    /** Beats that came out of the queue but must wait: another one for the same lease is in the batch under way. */
    private List<Waiting> deferred = new ArrayList<>();

    Heartbeats(BeatRepository beats, AcceptanceRepository acceptance, LeaseConfig config, MeterRegistry meters) {
        this.beats = beats;
        this.acceptance = acceptance;
        this.meters = meters;
        this.queue = new ArrayBlockingQueue<>(config.heartbeatQueue());
        meters.gaugeCollectionSize("rollcall_heartbeats_waiting", List.of(), queue);
    }

    void start(@Observes StartupEvent event) {
        writer.setDaemon(true);
        writer.start();
    }

    /** Answers what waits, then stops. */
    void stop(@Observes ShutdownEvent event) throws InterruptedException {
        stopping = true;
        queue.offer(Waiting.wakeUp());
        writer.join(3_000);
    }

    /**
     * Renews a lease.
     *
     * @return completes after the commit: with the renewal, or empty where the ordinary path has to decide; or fails with
     *     {@link BeatsRefusedException}
     */
    public CompletionStage<Optional<Renewal>> renew(Beat beat) {
        Waiting waiting = new Waiting(beat, new CompletableFuture<>());
        if (stopping || !queue.offer(waiting)) {
            refusedSinceLastNote = true;
            count("refused", 1);
            waiting.answer.completeExceptionally(BeatsRefusedException.overloaded());
        }
        return waiting.answer;
    }

    /**
     * Notes that beats are being accepted, through the queue that they take. Skipped where, since the last note was due, a
     * beat was refused or a batch failed for want of the database: then we are not accepting beats.
     */
    public void note() {
        if (refusedSinceLastNote) {
            refusedSinceLastNote = false;
            LOG.debug("Beats were refused since the last note; not noting that they are accepted.");
            return;
        }
        if (!queue.offer(Waiting.note())) {
            refusedSinceLastNote = true;
        }
    }

    private void writeBatches() {
        while (!stopping || !queue.isEmpty() || !deferred.isEmpty()) {
            try {
                List<Waiting> batch = nextBatch();
                boolean note = batch.removeIf(waiting -> waiting.kind == Kind.NOTE);
                batch.removeIf(waiting -> waiting.kind == Kind.WAKE_UP);
                if (note) {
                    writeNote(batch);
                }
                if (!batch.isEmpty()) {
                    write(batch);
                }
            } catch (InterruptedException e) {
                stopping = true;
            } catch (RuntimeException e) {
                LOG.error("A batch of heartbeats was not answered.", e);
            }
        }
    }

    /** Waits for something to do, then takes all that waits; two beats for one lease under other epochs never together. */
    private List<Waiting> nextBatch() throws InterruptedException {
        List<Waiting> candidates = deferred;
        deferred = new ArrayList<>();
        if (candidates.isEmpty()) {
            candidates.add(queue.take());
        }
        queue.drainTo(candidates, BATCH - candidates.size());
        Map<UUID, Beat> chosen = new HashMap<>();
        List<Waiting> batch = new ArrayList<>(candidates.size());
        for (Waiting candidate : candidates) {
            if (candidate.kind == Kind.BEAT) {
                Beat first = chosen.putIfAbsent(candidate.beat().delegationId(), candidate.beat());
                if (first != null && !first.isForTheSameHoldAs(candidate.beat())) {
                    deferred.add(candidate);
                    continue;
                }
            }
            batch.add(candidate);
        }
        return batch;
    }

    /** Writes the note before the beats that came with it; without a database those need not try. */
    private void writeNote(List<Waiting> batch) {
        try {
            if (acceptance.note()) {
                meters.counter("rollcall_outages_ended").increment();
                LOG.warn("Heartbeats are accepted again after more than 5 s without: every lease gets one lease time.");
            }
        } catch (RuntimeException e) {
            refusedSinceLastNote = true;
            LOG.debug("The note that beats are accepted could not be written.", e);
            if (DatabaseTrouble.isAway(e)) {
                refuseAll(batch);
                batch.clear();
            }
        }
    }

    private void write(List<Waiting> batch) {
        try {
            Map<UUID, Renewal> renewed = beats.renewInOneTransaction(merge(batch)).stream()
                    .collect(Collectors.toMap(Renewal::delegationId, Function.identity()));
            for (Waiting waiting : batch) {
                waiting.answer.complete(
                        Optional.ofNullable(renewed.get(waiting.beat().delegationId())));
            }
            count("renewed", renewed.size());
            meters.summary("rollcall_heartbeat_batch_size").record(batch.size());
        } catch (RuntimeException e) {
            recover(batch, e);
        }
    }

    private static List<Beat> merge(List<Waiting> batch) {
        Map<UUID, Beat> merged = new HashMap<>();
        batch.forEach(waiting -> merged.merge(waiting.beat().delegationId(), waiting.beat(), Beat::followedBy));
        return List.copyOf(merged.values());
    }

    /**
     * Without a database everybody is told at once. Where only a lock kept the batch waiting each takes the ordinary path,
     * where nobody waits for others. Else the batch is halved until the bad beat stands alone.
     */
    private void recover(List<Waiting> batch, RuntimeException failure) {
        if (DatabaseTrouble.isAway(failure)) {
            refusedSinceLastNote = true;
            refuseAll(batch);
            LOG.debug("Beats are refused: the database is away.", failure);
        } else if (DatabaseTrouble.isTrouble(failure)) {
            batch.forEach(waiting -> waiting.answer.complete(Optional.empty()));
            LOG.debug("A batch of beats waited too long; each goes its own way.", failure);
        } else if (batch.size() > 1) {
            write(batch.subList(0, batch.size() / 2));
            write(batch.subList(batch.size() / 2, batch.size()));
        } else {
            answerUnavailable(batch.get(0));
            LOG.warnf(
                    failure,
                    "The heartbeat of %s could not be written.",
                    batch.get(0).beat().delegationId());
        }
    }

    /** Whoever waits has waited for about as long as an answer may take: nobody waits for another try. */
    private void refuseAll(List<Waiting> batch) {
        List<Waiting> all = new ArrayList<>(batch);
        all.addAll(deferred);
        deferred.clear();
        queue.drainTo(all);
        all.stream().filter(waiting -> waiting.kind == Kind.BEAT).forEach(this::answerUnavailable);
    }

    private void answerUnavailable(Waiting waiting) {
        count("refused", 1);
        waiting.answer.completeExceptionally(BeatsRefusedException.unavailable());
    }

    private void count(String result, int beats) {
        meters.counter("rollcall_heartbeats", "result", result).increment(beats);
    }

    private enum Kind {
        BEAT,
        NOTE,
        WAKE_UP
    }

    private static final class Waiting {
        private final Kind kind;
        private final @Nullable Beat beat;
        private final CompletableFuture<Optional<Renewal>> answer;

        private Waiting(Kind kind, @Nullable Beat beat, CompletableFuture<Optional<Renewal>> answer) {
            this.kind = kind;
            this.beat = beat;
            this.answer = answer;
        }

        Waiting(Beat beat, CompletableFuture<Optional<Renewal>> answer) {
            this(Kind.BEAT, beat, answer);
        }

        static Waiting note() {
            return new Waiting(Kind.NOTE, null, new CompletableFuture<>());
        }

        static Waiting wakeUp() {
            return new Waiting(Kind.WAKE_UP, null, new CompletableFuture<>());
        }

        Beat beat() {
            if (beat == null) {
                throw new IllegalStateException("Not a beat: " + kind);
            }
            return beat;
        }
    }
}
