package io.rollcall.health;

import io.rollcall.sweep.SweepConfig;
import io.rollcall.sweep.SweepPulse;
import java.time.Duration;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Liveness;

/**
 * Liveness: about this process alone. It fails when the scheduler has not begun a tick for three intervals, at least 30 s,
 * or a tick makes no progress for that long. The database being away makes the service not ready, not dead.
 */
@Liveness
class SchedulerAlive implements HealthCheck {
    private static final Duration LEAST_PATIENCE = Duration.ofSeconds(30);

    private final SweepPulse pulse;
    private final Duration patience;

    SchedulerAlive(SweepPulse pulse, SweepConfig config) {
        this.pulse = pulse;
        Duration threeIntervals = config.interval().multipliedBy(3);
        this.patience = threeIntervals.compareTo(LEAST_PATIENCE) > 0 ? threeIntervals : LEAST_PATIENCE;
    }

    @Override
    public HealthCheckResponse call() {
        Duration sinceLastTick = pulse.sinceLastTick();
        Duration withoutProgress = pulse.withoutProgress();
        boolean ticking = sinceLastTick.compareTo(patience) <= 0 || !withoutProgress.isZero();
        return HealthCheckResponse.named("scheduler")
                .status(ticking && withoutProgress.compareTo(patience) <= 0)
                .withData("sinceLastTick", sinceLastTick.toString())
                .withData("tickWithoutProgress", withoutProgress.toString())
                .build();
    }
}
