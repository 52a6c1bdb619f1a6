package io.rollcall.sweep;

import io.quarkus.runtime.StartupEvent;
import io.quarkus.scheduler.Scheduled.ConcurrentExecution;
import io.quarkus.scheduler.Scheduler;
import io.rollcall.error.DatabaseTrouble;
import io.rollcall.lease.Heartbeats;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.time.Duration;
import org.jboss.logging.Logger;

/** When things happen by themselves: ticks of the sweeper, and the note that beats are being accepted. */
@ApplicationScoped
class SweepSchedule {
    private static final Logger LOG = Logger.getLogger(SweepSchedule.class);

    /** A gap of more than 5 s between two notes is an outage: four may be late before that. */
    private static final Duration NOTE_EVERY = Duration.ofSeconds(1);

    private final Scheduler scheduler;
    private final Sweeper sweeper;
    private final SweepControl control;
    private final SweepConfig config;
    private final SweepMeters meters;
    private final SweepPulse pulse;
    private final Heartbeats heartbeats;

    SweepSchedule(
            Scheduler scheduler,
            Sweeper sweeper,
            SweepControl control,
            SweepConfig config,
            SweepMeters meters,
            SweepPulse pulse,
            Heartbeats heartbeats) {
        this.scheduler = scheduler;
        this.sweeper = sweeper;
        this.control = control;
        this.config = config;
        this.meters = meters;
        this.pulse = pulse;
        this.heartbeats = heartbeats;
    }

    void start(@Observes StartupEvent event) {
        schedule("acceptance-note", NOTE_EVERY, heartbeats::note);
        schedule("sweeper", config.interval(), this::tick);
    }

    /** Ticks that come while one is under way are left out, so that those piled up after a stall run once. */
    private void schedule(String name, Duration interval, Runnable task) {
        scheduler
                .newJob(name)
                .setInterval(interval.toString())
                .setConcurrentExecution(ConcurrentExecution.SKIP)
                .setTask(execution -> task.run())
                .schedule();
    }

    /** One tick. Nothing that goes wrong in it may leave it: the next one comes all the same. */
    void tick() {
        pulse.tickBegins();
        try {
            if (config.enabled() && !control.read().paused()) {
                sweeper.sweep("tick", false, false);
            }
        } catch (RuntimeException e) {
            meters.failed();
            if (DatabaseTrouble.isAway(e)) {
                LOG.warnf("The sweep ended early: the database is away (%s).", e.getMessage());
            } else {
                LOG.error("The sweep ended early.", e);
            }
        } finally {
            pulse.tickEnds();
        }
    }
}
