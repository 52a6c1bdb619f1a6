package io.rollcall.sweep;

import io.rollcall.lease.AcceptanceRepository;
import io.rollcall.lease.LeaseConfig;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.transaction.Transactional;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What operators see of the sweeper. */
@ApplicationScoped
public class SweepStatus {
    private final SweepConfig config;
    private final LeaseConfig leaseConfig;
    private final SweepControl control;
    private final SweepRepository reports;
    private final AcceptanceRepository acceptance;

    SweepStatus(
            SweepConfig config,
            LeaseConfig leaseConfig,
            SweepControl control,
            SweepRepository reports,
            AcceptanceRepository acceptance) {
        this.config = config;
        this.leaseConfig = leaseConfig;
        this.control = control;
        this.reports = reports;
        this.acceptance = acceptance;
    }

    /**
     * All of it.
     *
     * @param enabled whether this replica sweeps by itself
     * @param paused whether the ticks of all replicas do nothing
     * @param settings what this replica was started with
     * @param brake the mass-staleness brake
     * @param returnedAt when beats were accepted again after the last outage
     * @param reports of the last sweeps of all replicas, newest first
     */
    public record View(
            boolean enabled,
            boolean paused,
            Settings settings,
            BrakeView brake,
            @Nullable Instant returnedAt,
            List<SweepReport> reports) {}

    /** What this replica was started with. */
    public record Settings(
            Duration interval,
            Duration heartbeatTimeout,
            Duration finalizationGrace,
            int batchSize,
            Map<String, Boolean> rules) {}

    /**
     * The mass-staleness brake.
     *
     * @param ratio above this share of stale leases it holds back
     * @param min never below this number
     * @param maxHold for this long at most
     * @param since when it first held back; left out where its condition is not met
     * @param holding whether it holds back still
     */
    public record BrakeView(
            double ratio,
            int min,
            Duration maxHold,
            @Nullable Instant since,
            boolean holding) {}

    /** Reads it. */
    @Transactional
    public View view(int limit) {
        SweepControl.State state = control.read();
        Map<String, Boolean> rules = new TreeMap<>();
        config.rules().forEach((rule, enabled) -> rules.put(rule.wireName(), enabled));
        List<SweepReport> latest = reports.latest(limit);
        return new View(
                config.enabled(),
                state.paused(),
                new Settings(
                        config.interval(),
                        leaseConfig.heartbeatTimeout(),
                        config.finalizationGrace(),
                        config.batchSize(),
                        rules),
                new BrakeView(
                        config.brakeRatio(),
                        config.brakeMin(),
                        config.brakeMaxHold(),
                        state.brakingSince(),
                        state.brakingSince() != null
                                && !latest.isEmpty()
                                && latest.get(0).braked()),
                acceptance.returnedAt().orElse(null),
                latest);
    }
}
