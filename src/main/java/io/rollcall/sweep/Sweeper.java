package io.rollcall.sweep;

import io.quarkus.narayana.jta.QuarkusTransaction;
import io.rollcall.delegation.DelegationRepository;
import io.rollcall.delegation.DueDelegation;
import io.rollcall.error.DatabaseTrouble;
import io.rollcall.error.LostRace;
import io.rollcall.gate.GateAnswer;
import io.rollcall.lease.LeaseRepository;
import io.rollcall.lease.LeaseScan;
import io.rollcall.liveness.ProbedHolders;
import io.rollcall.time.DatabaseClock;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jboss.logging.Logger;

/**
 * One sweep: finds candidates by one range of the index of due delegations and one scan of the leases, then takes them in
 * batches by id. Any number of replicas may sweep at once; within a replica sweeps wait for each other.
 */
@ApplicationScoped
public class Sweeper {
    private static final Logger LOG = Logger.getLogger(Sweeper.class);

    /** Ids of leases held in memory at once: 20,000 are about 1 MB. */
    private static final int PAGE = 20_000;

    private final DelegationRepository delegations;
    private final LeaseRepository leases;
    private final FinalizationRepository finalizations;
    private final GateRounds gates;
    private final Deaths deaths;
    private final SweepBatch batches;
    private final ResourceSweep resources;
    private final SetAsideRepository setAside;
    private final SweepRepository reports;
    private final Brake brake;
    private final RuleBook rules;
    private final SweepConfig config;
    private final DatabaseClock clock;
    private final Replica replica;
    private final SweepMeters meters;
    private final SweepPulse pulse;
    private final ReentrantLock oneAtATime = new ReentrantLock(true);

    Sweeper(
            DelegationRepository delegations,
            LeaseRepository leases,
            FinalizationRepository finalizations,
            GateRounds gates,
            Deaths deaths,
            SweepBatch batches,
            ResourceSweep resources,
            SetAsideRepository setAside,
            SweepRepository reports,
            Brake brake,
            RuleBook rules,
            SweepConfig config,
            DatabaseClock clock,
            Replica replica,
            SweepMeters meters,
            SweepPulse pulse) {
        this.delegations = delegations;
        this.leases = leases;
        this.finalizations = finalizations;
        this.gates = gates;
        this.deaths = deaths;
        this.batches = batches;
        this.resources = resources;
        this.setAside = setAside;
        this.reports = reports;
        this.brake = brake;
        this.rules = rules;
        this.config = config;
        this.clock = clock;
        this.replica = replica;
        this.meters = meters;
        this.pulse = pulse;
    }

    /**
     * Sweeps once, after a sweep that is under way here.
     *
     * @param origin {@code tick} or {@code operator}
     * @param dryRun whether only to judge
     * @param force whether to ignore the brake
     * @throws RuntimeException if the database is away; what was committed until then stands
     */
    public SweepReport sweep(String origin, boolean dryRun, boolean force) {
        oneAtATime.lock();
        try {
            return new Sweep(origin, dryRun, force).run();
        } finally {
            oneAtATime.unlock();
        }
    }

    /** The state of one sweep. */
    private final class Sweep {
        private final String origin;
        private final boolean dryRun;
        private final boolean force;
        private final SweepTally tally = new SweepTally();
        private final long startedNanos = System.nanoTime();
        private final boolean finalizes = rules.names().contains(RuleName.FINALIZATION);
        private boolean braked;

        Sweep(String origin, boolean dryRun, boolean force) {
            this.origin = origin;
            this.dryRun = dryRun;
            this.force = force;
        }

        SweepReport run() {
            Instant startedAt = inTransaction(clock::now);
            LeaseScan scan = inTransaction(leases::scan);
            meters.scanned(scan);
            boolean heard = scan.beatsWereAccepted();
            braked = heard && !force && brake.holdsBack(scan, dryRun);
            sweepDue();
            askTheSilent();
            sweepDead(heard && !braked);
            sweepStale(scan, heard && !braked);
            if (heard && finalizes && scan.finalizing() > 0) {
                sweepFinalizing();
            }
            // after the delegations: an attempt that has just ended holds none any more
            tally.add(resources.sweep(dryRun));
            SweepReport report = report(startedAt);
            reports.keep(report);
            meters.swept(report);
            log(report);
            return report;
        }

        private void sweepDue() {
            List<DueDelegation> page;
            DueDelegation last = DueDelegation.FIRST;
            do {
                DueDelegation after = last;
                page = inTransaction(() -> delegations.findDue(after, config.batchSize()));
                if (!page.isEmpty()) {
                    last = page.get(page.size() - 1);
                    sweep(page.stream().map(DueDelegation::id).toList(), Map.of());
                }
            } while (page.size() == config.batchSize());
        }

        private void sweepDead(boolean silenceTells) {
            if (silenceTells) {
                sweepPages(after -> deaths.find(after, PAGE));
            } else {
                tally.heldBack(deaths.countNotStale());
            }
        }

        private void sweepStale(LeaseScan scan, boolean silenceTells) {
            long silent = scan.stale() + (finalizes ? 0 : scan.finalizing());
            if (silent == 0 || !rules.names().contains(RuleName.STALE_HEARTBEAT)) {
                return;
            }
            if (silenceTells) {
                sweepPages(after -> leases.findStale(after, PAGE, !finalizes));
            } else {
                tally.heldBack(scan.stale());
            }
        }

        /** Whoever cannot be asked, for whatever reason, is judged by its silence. */
        private void askTheSilent() {
            if (dryRun) {
                return;
            }
            for (ProbedHolders holders : deaths.askable()) {
                try {
                    deaths.ask(holders, "tick".equals(origin));
                } catch (RuntimeException e) {
                    if (DatabaseTrouble.isAway(e)) {
                        throw e;
                    }
                    tally.error();
                    LOG.warnf(e, "Could not ask whether %s are alive.", holders.name());
                }
                pulse.progressed();
            }
        }

        /** Sweeps what one scan of the leases after another finds, each of a page, in the order of ids. */
        private void sweepPages(Function<UUID, List<UUID>> find) {
            List<UUID> page;
            UUID last = new UUID(0, 0);
            do {
                UUID after = last;
                page = inTransaction(() -> find.apply(after));
                sweepAll(page);
                last = page.isEmpty() ? last : page.get(page.size() - 1);
            } while (page.size() == PAGE);
        }

        private void sweepAll(List<UUID> ids) {
            for (int from = 0; from < ids.size(); from += config.batchSize()) {
                sweep(ids.subList(from, Math.min(from + config.batchSize(), ids.size())), Map.of());
            }
        }

        /** Those that wait for a gate come last: everything else is done by then. */
        private void sweepFinalizing() {
            List<UUID> gated = new ArrayList<>();
            List<Finalizing> page;
            UUID last = new UUID(0, 0);
            do {
                UUID after = last;
                page = inTransaction(() -> finalizations.findDue(after, PAGE));
                Map<Boolean, List<UUID>> byGate = page.stream()
                        .collect(Collectors.partitioningBy(
                                Finalizing::asksGate,
                                Collectors.mapping(Finalizing::delegationId, Collectors.toList())));
                sweepAll(byGate.getOrDefault(false, List.of()));
                gated.addAll(byGate.getOrDefault(true, List.of()));
                last = page.isEmpty() ? last : page.get(page.size() - 1).delegationId();
            } while (page.size() == PAGE);
            int waiting = gated.isEmpty() ? 0 : gates.ask(gated, this::settle);
            if (waiting > 0) {
                LOG.warnf("%d delegations wait for gates that have not answered.", waiting);
            }
        }

        private void settle(List<GateAnswer> answers) {
            Map<UUID, GateAnswer> byDelegation =
                    answers.stream().collect(Collectors.toMap(GateAnswer::delegationId, Function.identity()));
            pulse.progressed();
            if (!answers.isEmpty()) {
                sweep(answers.stream().map(GateAnswer::delegationId).toList(), byDelegation);
            }
        }

        /** Sweeps a batch; one that fails is halved until the bad row stands alone, and that is set aside. */
        private void sweep(List<UUID> ids, Map<UUID, GateAnswer> answers) {
            pulse.progressed();
            try {
                SweepTally batch = dryRun ? batches.dryRun(ids, braked, answers) : batches.sweep(ids, braked, answers);
                tally.add(batch);
                if (!dryRun) {
                    meters.judged(batch);
                }
            } catch (RuntimeException e) {
                if (DatabaseTrouble.isAway(e)) {
                    throw e;
                }
                boolean busyRow = ids.size() == 1 && DatabaseTrouble.isTrouble(e);
                if (busyRow || new LostRace().test(e)) {
                    LOG.debug("Lost a race; the rows are left to the next sweep.", e);
                    tally.conflicts(ids.size());
                } else if (ids.size() > 1) {
                    sweep(ids.subList(0, ids.size() / 2), answers);
                    sweep(ids.subList(ids.size() / 2, ids.size()), answers);
                } else {
                    tally.error();
                    LOG.warnf(e, "Delegation %s could not be swept and is set aside.", ids.get(0));
                    setAside(ids.get(0), e);
                }
            }
        }

        private void setAside(UUID id, RuntimeException failure) {
            try {
                if (!dryRun) {
                    setAside.setAside(id, failure);
                }
            } catch (RuntimeException e) {
                LOG.warnf(e, "Delegation %s could not be set aside either.", id);
            }
        }

        private SweepReport report(Instant startedAt) {
            return new SweepReport(
                    startedAt,
                    Duration.ofNanos((System.nanoTime() - startedNanos) / 1_000 * 1_000),
                    replica.name(),
                    origin,
                    dryRun,
                    force,
                    braked,
                    tally.verdicts(),
                    tally.conflicts(),
                    tally.errors(),
                    tally.heldBack());
        }

        private void log(SweepReport report) {
            if (braked) {
                LOG.warnf("The brake holds back: %d leases are stale at once.", tally.heldBack());
            }
            if (tally.didSomething()) {
                LOG.infof(
                        "Sweep by %s: %s, %d conflicts, %d errors, %d held back, %d ms%s",
                        report.origin(),
                        report.verdicts(),
                        report.conflicts(),
                        report.errors(),
                        report.heldBack(),
                        report.duration().toMillis(),
                        dryRun ? " (dry run)" : "");
            }
        }
    }

    private static <T> T inTransaction(Callable<T> query) {
        return QuarkusTransaction.requiringNew().call(query);
    }
}
