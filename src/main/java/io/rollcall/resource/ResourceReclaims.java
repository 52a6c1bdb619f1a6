package io.rollcall.resource;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.transaction.Transactional;
import jakarta.transaction.Transactional.TxType;
import java.util.List;
import java.util.Map;
import org.jboss.logging.Logger;

/** Clears away leases whose holder is dead, whose attempt has ended or whose time is over. */
@ApplicationScoped
public class ResourceReclaims {
    private static final Logger LOG = Logger.getLogger(ResourceReclaims.class);

    private final ReclaimRepository leases;
    private final ResourceMeters meters;

    ResourceReclaims(ReclaimRepository leases, ResourceMeters meters) {
        this.leases = leases;
        this.meters = meters;
    }

    /** The names of up to {@code limit} leases that are free, in their order, after a given one; {@code ""} at first. */
    @Transactional(TxType.REQUIRES_NEW)
    public List<String> findFree(String after, int limit) {
        return leases.findFree(after, limit);
    }

    /**
     * Reclaims those of some leases that are free still once they are locked. Those that somebody else has locked are
     * left alone.
     *
     * @return how many were reclaimed
     */
    @Transactional(TxType.REQUIRES_NEW)
    public int reclaim(List<String> names) {
        Map<String, WhyFree> reclaimed = leases.deleteFree(names);
        reclaimed.forEach((name, why) -> {
            LOG.debugf("The lease on %s is reclaimed: %s.", name, why.wireName());
            meters.countReclaimed(why);
        });
        return reclaimed.size();
    }
}
