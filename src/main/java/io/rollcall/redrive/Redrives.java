package io.rollcall.redrive;

import static io.rollcall.sql.Statements.micros;

import io.quarkus.runtime.StartupEvent;
import io.quarkus.scheduler.Scheduled.ConcurrentExecution;
import io.quarkus.scheduler.Scheduler;
import io.rollcall.delegation.DelegationDetail;
import io.rollcall.delegation.DelegationFilter;
import io.rollcall.delegation.DelegationSort;
import io.rollcall.delegation.Delegations;
import io.rollcall.delegation.PagePosition;
import io.rollcall.delegation.Successors;
import io.rollcall.error.ErrorCode;
import io.rollcall.error.LostRace;
import io.rollcall.error.RefusedException;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.transaction.Transactional;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Retries in bulk. What is to be done is written down first, so that nothing is lost or done twice by a restart. */
@ApplicationScoped
public class Redrives {
    private static final Logger LOG = Logger.getLogger(Redrives.class);

    private static final int PAGE = 5_000;
    private static final int SAMPLE = 20;

    private final RedriveRepository redrives;
    private final RedriveStep step;
    private final Delegations delegations;
    private final Scheduler scheduler;

    Redrives(RedriveRepository redrives, RedriveStep step, Delegations delegations, Scheduler scheduler) {
        this.redrives = redrives;
        this.step = step;
        this.delegations = delegations;
        this.scheduler = scheduler;
    }

    void start(@Observes StartupEvent event) {
        scheduler
                .newJob("redrive")
                .setInterval("PT1S")
                .setConcurrentExecution(ConcurrentExecution.SKIP)
                .setTask(execution -> workOneSecond())
                .schedule();
    }

    /**
     * What a redrive would do.
     *
     * @param matched how many delegations it would be about
     * @param sample the first of them
     */
    public record Preview(long matched, List<DelegationDetail> sample) {}

    /** What a redrive of those that match a filter, or of named ones, would do. */
    @Transactional
    public Preview preview(@Nullable DelegationFilter filter, List<UUID> ids) {
        List<UUID> sample = new ArrayList<>();
        AtomicLong matched = new AtomicLong();
        forEachPage(filter, ids, page -> {
            matched.addAndGet(page.size());
            sample.addAll(page.subList(0, Math.min(SAMPLE - sample.size(), page.size())));
        });
        return new Preview(matched.get(), delegations.getAll(sample));
    }

    /**
     * Begins a redrive of those that match a filter, or of named ones. Only what is stuck, failed or cancelled and has no
     * successor matches.
     *
     * @param filterJson the filter as it was asked for, to be shown
     */
    @Transactional
    public Redrive begin(
            @Nullable DelegationFilter filter,
            @Nullable String filterJson,
            List<UUID> ids,
            int perSecond,
            @Nullable String note) {
        UUID id = Successors.newId();
        redrives.insert(id, filterJson, perSecond, note);
        forEachPage(filter, ids, page -> redrives.add(id, page));
        redrives.count(id);
        return get(id);
    }

    /** One of them. */
    @Transactional
    public Redrive get(UUID id) {
        return redrives.find(id)
                .orElseThrow(() -> new RefusedException(ErrorCode.NOT_FOUND, "There is no redrive " + id + "."));
    }

    /** Up to {@code limit} of them, newest first, before a given one. */
    @Transactional
    public List<Redrive> page(@Nullable UUID before, int limit) {
        return redrives.page(before, limit);
    }

    /** Stops one; what it has retried stays so. Stopped again, nothing changes. */
    @Transactional
    public Redrive cancel(UUID id) {
        redrives.finish(id, "cancelled");
        return get(id);
    }

    /** What all running redrives may do in one second; those of other replicas at the same time are left alone. */
    public void workOneSecond() {
        try {
            for (RedriveRepository.Running running : findRunning()) {
                work(running);
            }
        } catch (RuntimeException e) {
            LOG.warnf("A redrive was interrupted and goes on by itself: %s", e.getMessage());
        }
    }

    @Transactional
    List<RedriveRepository.Running> findRunning() {
        return redrives.findRunning();
    }

    private void work(RedriveRepository.Running running) {
        long untilNanos = System.nanoTime() + 1_000_000_000L;
        for (int done = 0; done < running.perSecond() && System.nanoTime() < untilNanos; done++) {
            try {
                if (!step.next(running.id())) {
                    return;
                }
            } catch (RuntimeException e) {
                if (!new LostRace().test(e) && !(e instanceof RefusedException)) {
                    throw e;
                }
                LOG.debug("A step of a redrive lost a race and is tried again.", e);
            }
        }
    }

    /** The ids of all that match and can be retried, page by page: no statement, and no list in memory, grows long. */
    private void forEachPage(@Nullable DelegationFilter filter, List<UUID> ids, Consumer<List<UUID>> action) {
        if (filter == null) {
            action.accept(delegations.findRetryable(ids));
            return;
        }
        DelegationFilter retryable = filter.narrowedTo(Successors.RETRYABLE);
        if (retryable.statuses().isEmpty()) {
            return;
        }
        PagePosition after = null;
        List<PagePosition> page;
        do {
            page = delegations.positions(retryable, DelegationSort.OLDEST, after, PAGE);
            action.accept(delegations.findRetryable(
                    page.stream().map(PagePosition::id).toList()));
            after = page.isEmpty() ? null : page.get(page.size() - 1);
        } while (page.size() == PAGE);
    }

    /** Lets those go that ended longer ago than that. */
    @Transactional
    public void purge(Duration retention) {
        redrives.purge(micros(retention));
    }
}
