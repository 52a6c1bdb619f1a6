package io.rollcall.sweep;

import io.rollcall.liveness.AttemptLivenessRepository;
import io.rollcall.liveness.DeadHolder;
import io.rollcall.liveness.ProbedHolders;
import io.rollcall.liveness.Prober;
import io.rollcall.liveness.Turn;
import io.rollcall.resource.ResourceProbeRepository;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Who is asked whether it lives, and what the sweep knows of agents that were found dead. */
@ApplicationScoped
class Deaths {
    private final Prober prober;
    private final AttemptLivenessRepository attempts;
    private final SweepConfig config;
    private final boolean judged;
    private final boolean finalizingToo;
    private final List<ProbedHolders> askable = new ArrayList<>();

    /** Unlike the name of a replica, never that of an earlier process. */
    private final String self = UUID.randomUUID().toString();

    Deaths(
            Prober prober,
            AttemptLivenessRepository attempts,
            ResourceProbeRepository resourceLeases,
            SweepConfig config) {
        this.prober = prober;
        this.attempts = attempts;
        this.config = config;
        this.judged = config.isEnabled(RuleName.AGENT_DEAD);
        this.finalizingToo = !config.isEnabled(RuleName.FINALIZATION);
        if (judged) {
            askable.add(attempts);
        }
        if (config.isEnabled(RuleName.RESOURCE_LEASES)) {
            askable.add(resourceLeases);
        }
    }

    /** Whose death the rules that are switched on want to know of. */
    List<ProbedHolders> askable() {
        return askable;
    }

    /** Asks the silent ones among them, and counts the answers. Not part of any transaction. */
    void ask(ProbedHolders holders, boolean tick) {
        holders.forget();
        prober.ask(holders, tick ? Turn.ofTick(self, config.interval()) : Turn.onDemand(self, config.interval()));
    }

    /** Ids of delegations in flight whose agents are dead, in the order of ids. */
    List<UUID> find(UUID after, int limit) {
        return judged ? attempts.findDead(after, limit, config.deadTicks(), finalizingToo) : List.of();
    }

    /** How many of those are not stale as well. */
    long countNotStale() {
        return judged ? attempts.countDeadNotStale(config.deadTicks(), finalizingToo) : 0;
    }

    /** Those of some delegations, under their locks, whose agents are dead. */
    Map<UUID, DeadHolder> among(Collection<UUID> ids) {
        return judged ? attempts.deadAmong(ids, config.deadTicks()) : Map.of();
    }
}
