package io.rollcall.sweep;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.rollcall.lease.LeaseScan;
import jakarta.inject.Singleton;
import java.util.concurrent.atomic.AtomicLong;

/** What sweeps tell the monitoring. */
@Singleton
class SweepMeters {
    private final MeterRegistry meters;
    private final Timer detectionLag;
    private final AtomicLong inFlight;
    private final AtomicLong neverBeat;
    private final AtomicLong stale;
    private final AtomicLong braked;

    SweepMeters(MeterRegistry meters) {
        this.meters = meters;
        this.detectionLag = Timer.builder("rollcall_detection_lag")
                .description("From the instant at which a rule came to match to its verdict")
                .publishPercentileHistogram()
                .register(meters);
        this.inFlight = gauge("rollcall_in_flight", "Delegations in flight, as the last sweep here saw them");
        this.neverBeat = gauge("rollcall_never_beat", "Of those, how many have never beaten");
        this.stale = gauge("rollcall_stale_leases", "Leases in flight that were overdue when the last sweep began");
        this.braked = gauge("rollcall_braked", "1 while the mass-staleness brake holds back");
    }

    private AtomicLong gauge(String name, String description) {
        AtomicLong value = new AtomicLong();
        Gauge.builder(name, value, AtomicLong::get).description(description).register(meters);
        return value;
    }

    void scanned(LeaseScan scan) {
        inFlight.set(scan.inFlight());
        neverBeat.set(scan.notBegun());
        stale.set(scan.stale());
    }

    void judged(SweepTally batch) {
        batch.lags().forEach(detectionLag::record);
    }

    void swept(SweepReport report) {
        meters.timer("rollcall_sweeps", "origin", report.origin()).record(report.duration());
        meters.counter("rollcall_sweep_conflicts").increment(report.conflicts());
        meters.counter("rollcall_sweep_errors").increment(report.errors());
        meters.counter("rollcall_sweep_held_back").increment(report.heldBack());
        braked.set(report.braked() ? 1 : 0);
    }

    /** A sweep ended for want of the database. */
    void failed() {
        meters.counter("rollcall_sweep_errors").increment();
    }
}
