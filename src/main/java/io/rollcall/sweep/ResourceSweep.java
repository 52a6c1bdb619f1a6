package io.rollcall.sweep;

import io.rollcall.error.DatabaseTrouble;
import io.rollcall.resource.ResourceReclaims;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import org.jboss.logging.Logger;

/** The last part of a sweep: named leases that are free although nobody released them. */
@ApplicationScoped
class ResourceSweep {
    private static final Logger LOG = Logger.getLogger(ResourceSweep.class);

    private final ResourceReclaims reclaims;
    private final SweepConfig config;
    private final SweepPulse pulse;

    ResourceSweep(ResourceReclaims reclaims, SweepConfig config, SweepPulse pulse) {
        this.reclaims = reclaims;
        this.config = config;
        this.pulse = pulse;
    }

    /**
     * Reclaims all that are free, or only counts them.
     *
     * @throws RuntimeException if the database is away
     */
    SweepTally sweep(boolean dryRun) {
        SweepTally tally = new SweepTally();
        if (!config.isEnabled(RuleName.RESOURCE_LEASES)) {
            return tally;
        }
        List<String> page;
        String last = "";
        do {
            pulse.progressed();
            page = reclaims.findFree(last, config.batchSize());
            if (!page.isEmpty()) {
                last = page.get(page.size() - 1);
                reclaim(page, dryRun, tally);
            }
        } while (page.size() == config.batchSize());
        return tally;
    }

    private void reclaim(List<String> names, boolean dryRun, SweepTally tally) {
        try {
            int reclaimed = dryRun ? names.size() : reclaims.reclaim(names);
            tally.reclaimed(reclaimed);
            tally.conflicts(names.size() - reclaimed);
        } catch (RuntimeException e) {
            if (DatabaseTrouble.isAway(e)) {
                throw e;
            }
            LOG.warnf(e, "%d named leases from %s on could not be reclaimed.", names.size(), names.get(0));
            tally.error();
        }
    }
}
