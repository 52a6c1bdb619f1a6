package io.rollcall.retention;

import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.StartupEvent;
import io.quarkus.scheduler.Scheduled.ConcurrentExecution;
import io.quarkus.scheduler.Scheduler;
import io.rollcall.redrive.Redrives;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.time.Duration;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jboss.logging.Logger;

/** Lets final delegations go once their retention is over, in chunks, so that no transaction grows long. */
@ApplicationScoped
public class Retention {
    private static final Logger LOG = Logger.getLogger(Retention.class);

    /** Rows a transaction. */
    static final int CHUNK = 1_000;

    private static final Duration EVERY = Duration.ofMinutes(10);

    private final RetentionRepository repository;
    private final Redrives redrives;
    private final Scheduler scheduler;
    private final MeterRegistry meters;
    private final Duration retention;

    Retention(
            RetentionRepository repository,
            Redrives redrives,
            Scheduler scheduler,
            MeterRegistry meters,
            @ConfigProperty(name = "rollcall.retention", defaultValue = "P30D") Duration retention) {
        this.repository = repository;
        this.redrives = redrives;
        this.scheduler = scheduler;
        this.meters = meters;
        this.retention = retention;
        if (retention.isNegative()) {
            throw new IllegalArgumentException("rollcall.retention must not be negative: " + retention);
        }
    }

    void start(@Observes StartupEvent event) {
        scheduler
                .newJob("retention")
                .setInterval(EVERY.toString())
                .setConcurrentExecution(ConcurrentExecution.SKIP)
                .setTask(execution -> purgeQuietly())
                .schedule();
    }

    /** Deletes all that is old enough now. Returns how many. */
    public int purge() {
        int purged = 0;
        int chunk;
        do {
            chunk = repository.purge(retention, CHUNK);
            purged += chunk;
        } while (chunk == CHUNK);
        redrives.purge(retention);
        if (purged > 0) {
            meters.counter("rollcall_purged").increment(purged);
            LOG.infof("Retention: %d final delegations purged.", purged);
        }
        return purged;
    }

    private void purgeQuietly() {
        try {
            purge();
        } catch (RuntimeException e) {
            LOG.warnf("The purge ended early: %s", e.getMessage());
        }
    }
}
