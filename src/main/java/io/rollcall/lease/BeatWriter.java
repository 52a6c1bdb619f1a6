package io.rollcall.lease;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.rollcall.error.DatabaseTrouble;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;

/** One thread that takes all that waits in the queue of heartbeats, writes it in one statement, and answers it. */
final class BeatWriter {
    private static final Logger LOG = Logger.getLogger(BeatWriter.class);

    /** Beats a statement: beyond this the statement takes longer than the round trip that it saves. */
    private static final int BATCH = 1_000;

    private final Thread thread;
    private final BlockingQueue<WaitingBeat> queue;
    private final BeatRepository beats;
    private final AcceptanceRepository acceptance;
    private final BeatHealth health;
    private final Counter renewed;
    private final Counter refused;
    private final Counter outagesEnded;
    private final DistributionSummary batchSizes;

    private volatile boolean stopping;

    /** Beats that came out of the queue but must wait: another one for the same lease is in the batch under way. */
    private List<WaitingBeat> deferred = new ArrayList<>();

    BeatWriter(
            String name,
            BlockingQueue<WaitingBeat> queue,
            BeatRepository beats,
            AcceptanceRepository acceptance,
            BeatHealth health,
            MeterRegistry meters) {
        this.thread = new Thread(this::writeBatches, name);
        this.queue = queue;
        this.beats = beats;
        this.acceptance = acceptance;
        this.health = health;
        this.renewed = meters.counter("rollcall_heartbeats", "result", "renewed");
        this.refused = meters.counter("rollcall_heartbeats", "result", "refused");
        this.outagesEnded = meters.counter("rollcall_outages_ended");
        this.batchSizes = meters.summary("rollcall_heartbeat_batch_size");
    }

    void start() {
        thread.setDaemon(true);
        thread.start();
    }

    /** Stops as soon as nothing waits. One that waits for work has to be woken up. */
    void stopWhenDrained() {
        stopping = true;
    }

    /** Waits until it has stopped. */
    void join(long untilNanos) throws InterruptedException {
        TimeUnit.NANOSECONDS.timedJoin(thread, untilNanos - System.nanoTime());
    }

    private void writeBatches() {
        while (!stopping || !queue.isEmpty() || !deferred.isEmpty()) {
            try {
                List<WaitingBeat> batch = nextBatch();
                boolean note = batch.stream().anyMatch(WaitingBeat::note);
                batch.removeIf(waiting -> waiting.beat() == null);
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
    private List<WaitingBeat> nextBatch() throws InterruptedException {
        List<WaitingBeat> candidates = deferred;
        deferred = new ArrayList<>();
        if (candidates.isEmpty()) {
            candidates.add(queue.take());
        }
        queue.drainTo(candidates, BATCH - candidates.size());
        Map<UUID, Beat> chosen = new HashMap<>(2 * candidates.size());
        List<WaitingBeat> batch = new ArrayList<>(candidates.size());
        for (WaitingBeat candidate : candidates) {
            Beat beat = candidate.beat();
            Beat first = beat == null ? null : chosen.putIfAbsent(beat.delegationId(), beat);
            if (beat == null || first == null || first.isForTheSameHoldAs(beat)) {
                batch.add(candidate);
            } else {
                deferred.add(candidate);
            }
        }
        return batch;
    }

    /** Writes the note before the beats that came with it; without a database those need not try. */
    private void writeNote(List<WaitingBeat> batch) {
        try {
            if (acceptance.note()) {
                outagesEnded.increment();
                LOG.warn("Heartbeats are accepted again after more than 5 s without: every lease gets one lease time.");
            }
        } catch (RuntimeException e) {
            health.refused();
            LOG.debug("The note that beats are accepted could not be written.", e);
            if (DatabaseTrouble.isAway(e)) {
                refuseAll(batch);
                batch.clear();
            }
        }
    }

    private void write(List<WaitingBeat> batch) {
        try {
            Map<UUID, Renewal> renewals = new HashMap<>(2 * batch.size());
            beats.renewInOneTransaction(merge(batch)).forEach(one -> renewals.put(one.delegationId(), one));
            renewed.increment(renewals.size());
            batchSizes.record(batch.size());
            batch.forEach(waiting -> waiting.answer(renewals.get(beatOf(waiting).delegationId())));
        } catch (RuntimeException e) {
            recover(batch, e);
        }
    }

    private static List<Beat> merge(List<WaitingBeat> batch) {
        Map<UUID, Beat> merged = new HashMap<>(2 * batch.size());
        batch.forEach(waiting -> merged.merge(beatOf(waiting).delegationId(), beatOf(waiting), Beat::followedBy));
        return List.copyOf(merged.values());
    }

    /**
     * Without a database everybody is told at once. Where only a lock kept the batch waiting each takes the ordinary path,
     * where nobody waits for others. Else the batch is halved until the bad beat stands alone.
     */
    private void recover(List<WaitingBeat> batch, RuntimeException failure) {
        if (DatabaseTrouble.isAway(failure)) {
            health.refused();
            refuseAll(batch);
            LOG.debug("Beats are refused: the database is away.", failure);
        } else if (DatabaseTrouble.isTrouble(failure)) {
            batch.forEach(waiting -> waiting.answer(null));
            LOG.debug("A batch of beats waited too long; each goes its own way.", failure);
        } else if (batch.size() > 1) {
            write(batch.subList(0, batch.size() / 2));
            write(batch.subList(batch.size() / 2, batch.size()));
        } else {
            answerUnavailable(batch.get(0));
            LOG.warnf(
                    failure,
                    "The heartbeat of %s could not be written.",
                    beatOf(batch.get(0)).delegationId());
        }
    }

    /** Whoever waits has waited for about as long as an answer may take: nobody waits for another try. */
    private void refuseAll(List<WaitingBeat> batch) {
        List<WaitingBeat> all = new ArrayList<>(batch);
        all.addAll(deferred);
        deferred.clear();
        queue.drainTo(all);
        all.stream().filter(waiting -> waiting.beat() != null).forEach(this::answerUnavailable);
    }

    private void answerUnavailable(WaitingBeat waiting) {
        refused.increment();
        waiting.refuse(BeatsRefusedException.unavailable());
    }

    private static Beat beatOf(WaitingBeat waiting) {
        return Objects.requireNonNull(waiting.beat());
    }
}
