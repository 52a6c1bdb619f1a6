package io.rollcall.sweep;

import io.rollcall.delegation.DelegationRepository;
import io.rollcall.lease.LeaseRepository;
import io.rollcall.liveness.AttemptLivenessRepository;
import io.rollcall.liveness.Prober;
import io.rollcall.resource.ResourceProbeRepository;
import io.rollcall.time.DatabaseClock;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;

/** Sweepers beside that of the service, as other processes have them. */
@ApplicationScoped
class Sweepers {
    @Inject
    DelegationRepository delegations;

    @Inject
    LeaseRepository leases;

    @Inject
    FinalizationRepository finalizations;

    @Inject
    GateRounds gates;

    @Inject
    Prober prober;

    @Inject
    AttemptLivenessRepository attempts;

    @Inject
    ResourceProbeRepository resourceLeases;

    @Inject
    SweepBatch batches;

    @Inject
    ResourceSweep resources;

    @Inject
    SetAsideRepository setAside;

    @Inject
    SweepRepository reports;

    @Inject
    Brake brake;

    @Inject
    RuleBook rules;

    @Inject
    DatabaseClock clock;

    @Inject
    Replica replica;

    @Inject
    SweepMeters meters;

    @Inject
    SweepPulse pulse;

    /** One with a lock, and a memory of whom it has asked, of its own. */
    Sweeper start(SweepConfig settings) {
        return new Sweeper(
                delegations,
                leases,
                finalizations,
                gates,
                new Deaths(prober, attempts, resourceLeases, settings),
                batches,
                resources,
                setAside,
                reports,
                brake,
                rules,
                settings,
                clock,
                replica,
                meters,
                pulse);
    }
}
