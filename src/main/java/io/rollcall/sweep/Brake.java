package io.rollcall.sweep;

import static io.rollcall.sql.Statements.micros;

import io.rollcall.lease.LeaseScan;
import jakarta.enterprise.context.ApplicationScoped;

/**
 * Mass staleness is more likely our network than everybody's death: where too many leases are stale at once, silence is
 * not judged for a while.
 */
@ApplicationScoped
class Brake {
    private final SweepControl control;
    private final SweepConfig config;

    Brake(SweepControl control, SweepConfig config) {
        this.control = control;
        this.config = config;
    }

    /** Whether this sweep holds back. Its start, and its end, are kept in the database for all replicas. */
    boolean holdsBack(LeaseScan scan, boolean dryRun) {
        if (dryRun) {
            return isMassStaleness(scan, config.brakeRatio(), config.brakeMin());
        }
        if (isMassStaleness(scan, config.brakeRatio(), config.brakeMin())) {
            return control.brake(micros(config.brakeMaxHold()));
        }
        control.release();
        return false;
    }

    /** The condition: more than a share, and at least a number, of the leases that can go stale. Pure. */
    static boolean isMassStaleness(LeaseScan scan, double ratio, int min) {
        return scan.stale() >= min && scan.stale() > ratio * scan.canGoStale();
    }
}
