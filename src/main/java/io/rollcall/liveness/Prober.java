package io.rollcall.liveness;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.arc.All;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Asks silent holders whether they are alive, several at once and outside any transaction, and has the answers counted.
 * Neither a probe that hangs nor many holders keep it longer than its time; who was not asked is asked first next time.
 */
@ApplicationScoped
public class Prober {
    private static final Logger LOG = Logger.getLogger(Prober.class);

    private static final int AT_ONCE = 16;

    private final List<LivenessProbe> probes;
    private final ObjectMapper json;
    private final MeterRegistry meters;
    private final Duration patience;
    private final Duration longest;
    private final ExecutorService threads = threads();
    private final Map<String, String> resumeAfter = new ConcurrentHashMap<>();

    @Inject
    Prober(@All List<LivenessProbe> probes, ObjectMapper json, MeterRegistry meters) {
        this(probes, json, meters, Duration.ofSeconds(2), Duration.ofSeconds(10));
    }

    /** The same with other limits: for one answer, and for all of them. */
    Prober(List<LivenessProbe> probes, ObjectMapper json, MeterRegistry meters, Duration patience, Duration longest) {
        this.probes = probes;
        this.json = json;
        this.meters = meters;
        this.patience = patience;
        this.longest = longest;
    }

    private static ExecutorService threads() {
        ThreadPoolExecutor pool =
                new ThreadPoolExecutor(AT_ONCE, AT_ONCE, 30, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> {
                    Thread thread = new Thread(task, "prober");
                    thread.setDaemon(true);
                    return thread;
                });
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }

    @PreDestroy
    void stop() {
        threads.shutdownNow();
    }

    /**
     * Asks the silent ones among some holders; 2 s for each at most, about 10 s for all of them.
     *
     * @param turn how often answers count
     */
    public void ask(ProbedHolders holders, Turn turn) {
        long untilNanos = System.nanoTime() + longest.toNanos();
        @Nullable String after = resumeAfter.remove(holders.name());
        do {
            SilentPage page = holders.findSilent(after);
            int asked = askAndCount(holders, page.holders(), turn, untilNanos);
            boolean all = asked == page.holders().size();
            after = all
                    ? page.next()
                    : asked == 0 ? after : page.holders().get(asked - 1).key();
            if (after != null && System.nanoTime() >= untilNanos) {
                LOG.warnf("Asking %s took too long; the rest is asked at the next tick.", holders.name());
                resumeAfter.put(holders.name(), after);
                return;
            }
        } while (after != null);
    }

    /** Returns how many of them were asked before the time was over. */
    private int askAndCount(ProbedHolders holders, List<SilentHolder> page, Turn turn, long untilNanos) {
        Map<String, Liveness> answers = new HashMap<>();
        int asked = 0;
        while (asked < page.size()
                && System.nanoTime() < untilNanos
                && !Thread.currentThread().isInterrupted()) {
            List<SilentHolder> some = page.subList(asked, Math.min(asked + AT_ONCE, page.size()));
            askAll(some.stream().map(SilentHolder::probe).distinct().toList(), answers);
            asked += some.size();
        }
        Map<Liveness, List<SilentHolder>> byAnswer = new HashMap<>();
        page.subList(0, asked)
                .forEach(holder -> byAnswer.computeIfAbsent(
                                answers.getOrDefault(holder.probe(), Liveness.UNKNOWN), key -> new ArrayList<>())
                        .add(holder));
        byAnswer.forEach((answer, those) -> {
            meters.counter("rollcall_probes", "answer", answer.wireName()).increment(those.size());
            count(holders, answer, those, turn);
        });
        return asked;
    }

    private static void count(ProbedHolders holders, Liveness answer, List<SilentHolder> those, Turn turn) {
        switch (answer) {
            case DEAD -> holders.countDead(those, turn);
            case ALIVE -> holders.clear(those);
            case UNKNOWN -> {}
        }
    }

    /** Asks for those not answered yet; what one process holds many times is asked once. */
    private void askAll(List<String> wanted, Map<String, Liveness> answers) {
        List<String> asked =
                wanted.stream().filter(probe -> !answers.containsKey(probe)).toList();
        List<Callable<Liveness>> questions = asked.stream()
                .map(probe -> (Callable<Liveness>) () -> ask(probe))
                .toList();
        try {
            List<Future<Liveness>> given = threads.invokeAll(questions, patience.toMillis(), TimeUnit.MILLISECONDS);
            for (int i = 0; i < asked.size(); i++) {
                answers.put(asked.get(i), answerOf(given.get(i)));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static Liveness answerOf(Future<Liveness> given) throws InterruptedException {
        try {
            return given.isCancelled() ? Liveness.UNKNOWN : given.get();
        } catch (ExecutionException e) {
            LOG.debug("A probe failed.", e);
            return Liveness.UNKNOWN;
        }
    }

    /** The first answer of any way of asking; a probe that a newer version has stored is unknown here. */
    private Liveness ask(String text) throws JsonProcessingException {
        Probe probe = json.readValue(text, Probe.class);
        return probes.stream()
                .map(way -> way.ask(probe))
                .filter(answer -> answer != Liveness.UNKNOWN)
                .findFirst()
                .orElse(Liveness.UNKNOWN);
    }
}
