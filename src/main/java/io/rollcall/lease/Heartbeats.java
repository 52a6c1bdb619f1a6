package io.rollcall.lease;

import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The hot path. Beats wait in a bounded queue; while statements are under way the next batch gathers, so that one
 * transaction carries many (group commit) and an idle service adds no delay. A caller is answered after the commit.
 * Beats for leases that have not begun, are gone, or carry another epoch come back empty and take the ordinary path.
 */
@ApplicationScoped
public class Heartbeats {
    private static final Logger LOG = Logger.getLogger(Heartbeats.class);

    /** While one waits for the disk the other keeps the processor busy; more only make the batches smaller. */
    private static final int WRITERS = 2;

    private static final int DRAIN_S = 3;

    private final MeterRegistry meters;
    private final BlockingQueue<WaitingBeat> queue;
    private final BeatHealth health = new BeatHealth();
    private final List<BeatWriter> writers;

    private volatile boolean stopping;

    Heartbeats(BeatRepository beats, AcceptanceRepository acceptance, LeaseConfig config, MeterRegistry meters) {
        this.meters = meters;
        this.queue = new ArrayBlockingQueue<>(config.heartbeatQueue());
        this.writers = IntStream.range(0, WRITERS)
                .mapToObj(number -> new BeatWriter("heartbeats-" + number, queue, beats, acceptance, health, meters))
                .toList();
        meters.gaugeCollectionSize("rollcall_heartbeats_waiting", List.of(), queue);
    }

    void start(@Observes StartupEvent event) {
        writers.forEach(BeatWriter::start);
    }

    /** Answers what waits, then stops. */
    void stop(@Observes ShutdownEvent event) throws InterruptedException {
        stopping = true;
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(DRAIN_S);
        writers.forEach(BeatWriter::stopWhenDrained);
        for (BeatWriter writer : writers) {
            queue.offer(WaitingBeat.wakeUp());
            writer.join(until);
        }
    }

    /**
     * Renews a lease.
     *
     * @return completes after the commit: with the renewal, or empty where the ordinary path has to decide; or fails with
     *     {@link BeatsRefusedException}
     */
    public CompletionStage<Optional<Renewal>> renew(Beat beat) {
        CompletableFuture<Optional<Renewal>> answer = new CompletableFuture<>();
        renew(beat, (renewal, refusal) -> {
            if (refusal == null) {
                answer.complete(Optional.ofNullable(renewal));
            } else {
                answer.completeExceptionally(refusal);
            }
        });
        return answer;
    }

    /**
     * The same for one of many: the answer is told on the thread that wrote it, and must not keep that for long.
     *
     * @param answer told the renewal, or nothing where the ordinary path has to decide, or why it was refused
     */
    public void renew(Beat beat, BiConsumer<@Nullable Renewal, @Nullable BeatsRefusedException> answer) {
        WaitingBeat waiting = WaitingBeat.of(beat, answer);
        if (stopping || !queue.offer(waiting)) {
            health.refused();
            meters.counter("rollcall_heartbeats", "result", "refused").increment();
            waiting.refuse(BeatsRefusedException.overloaded());
        }
    }

    /**
     * Notes that beats are being accepted, through the queue that they take. Skipped where, since the last note was due, a
     * beat was refused or a batch failed for want of the database: then we are not accepting beats.
     */
    public void note() {
        if (health.forgetRefusals()) {
            LOG.debug("Beats were refused since the last note; not noting that they are accepted.");
        } else if (!queue.offer(WaitingBeat.noteOfAcceptance())) {
            health.refused();
        }
    }
}
