package io.rollcall.sweep;

import io.quarkus.narayana.jta.QuarkusTransaction;
import io.rollcall.delegation.Change;
import io.rollcall.delegation.Delegation;
import io.rollcall.delegation.DelegationEvent;
import io.rollcall.delegation.DelegationRepository;
import io.rollcall.delegation.Evidence;
import io.rollcall.delegation.GateVerdict;
import io.rollcall.delegation.Ledger;
import io.rollcall.delegation.RequeueDelays;
import io.rollcall.gate.GateAnswer;
import io.rollcall.lease.Lease;
import io.rollcall.lease.LeaseRepository;
import io.rollcall.lease.LeasesUnderLock;
import io.rollcall.liveness.DeadHolder;
import io.rollcall.time.DatabaseClock;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.transaction.Transactional;
import jakarta.transaction.Transactional.TxType;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Judges some delegations in one transaction: locks those that nobody else is changing, then their leases, reads what
 * both are now, and writes what the rules decide. A heartbeat or report that committed first has won.
 */
@ApplicationScoped
class SweepBatch {
    private final DelegationRepository delegations;
    private final LeaseRepository leases;
    private final Deaths deaths;
    private final RuleBook rules;
    private final Ledger ledger;
    private final RequeueDelays delays;
    private final SetAsideRepository setAside;
    private final DatabaseClock clock;

    SweepBatch(
            DelegationRepository delegations,
            LeaseRepository leases,
            Deaths deaths,
            RuleBook rules,
            Ledger ledger,
            RequeueDelays delays,
            SetAsideRepository setAside,
            DatabaseClock clock) {
        this.delegations = delegations;
        this.leases = leases;
        this.deaths = deaths;
        this.rules = rules;
        this.ledger = ledger;
        this.delays = delays;
        this.setAside = setAside;
        this.clock = clock;
    }

    /**
     * Judges and writes.
     *
     * @param braked whether the brake holds back
     * @param gates what gates said of those that were asked about, by delegation
     */
    @Transactional(TxType.REQUIRES_NEW)
    SweepTally sweep(Collection<UUID> ids, boolean braked, Map<UUID, GateAnswer> gates) {
        List<Delegation> locked = delegations.lockFree(ids);
        LeasesUnderLock held = leases.lockAll(ids(locked));
        SweepTally tally = new SweepTally();
        List<Change> changes = judge(locked, held, braked, gates, tally);
        ledger.write(changes);
        setAside.forget(changes.stream().map(change -> change.delegation().id()).toList());
        tally.conflicts(ids.size() - changes.size() - tally.heldBack());
        return tally;
    }

    /** Judges without locking or writing anything. */
    @Transactional(TxType.REQUIRES_NEW)
    SweepTally dryRun(Collection<UUID> ids, boolean braked, Map<UUID, GateAnswer> gates) {
        List<Delegation> read = delegations.findAllById(ids);
        LeasesUnderLock held = leases.peekAll(ids(read));
        SweepTally tally = new SweepTally();
        judge(read, held, braked, gates, tally);
        QuarkusTransaction
                .setRollbackOnly(); // what was judged in memory is never written, nor what a query had flushed
        return tally;
    }

    private List<Change> judge(
            List<Delegation> read,
            LeasesUnderLock held,
            boolean braked,
            Map<UUID, GateAnswer> gates,
            SweepTally tally) {
        Instant now = clock.now();
        Map<UUID, DeadHolder> dead = deaths.among(ids(read));
        Hearing hearing = !held.beatsWereAccepted() ? Hearing.NONE : braked ? Hearing.DOUBTFUL : Hearing.GOOD;
        List<Change> changes = new ArrayList<>(read.size());
        for (Delegation delegation : read) {
            Lease lease = held.byDelegation().get(delegation.id());
            DelegationSnapshot snapshot =
                    DelegationSnapshot.of(delegation, lease, verdict(gates, delegation), dead.get(delegation.id()));
            Optional<RuleBook.Decision> decision = rules.decide(snapshot, now, hearing);
            if (decision.isPresent()) {
                Verdict verdict = decision.get().verdict();
                Instant again = verdict.backsOff() ? delays.availableAgain(delegation, null, now) : now;
                DelegationEvent event =
                        verdict.applyTo(delegation, lease, again, evidence(decision.get(), snapshot, now), now);
                changes.add(new Change(delegation, event));
                tally.judged(
                        VerdictName.of(delegation.status()),
                        Duration.between(decision.get().dueAt(), now));
            } else if (hearing != Hearing.GOOD
                    && rules.decide(snapshot, now, Hearing.GOOD).isPresent()) {
                tally.heldBack(1);
            }
        }
        return changes;
    }

    /** What the gate said of it, if it is still what the gate was asked about. */
    private static @Nullable GateVerdict verdict(Map<UUID, GateAnswer> gates, Delegation delegation) {
        GateAnswer answer = gates.get(delegation.id());
        return answer != null && answer.version() == delegation.version() ? answer.verdict() : null;
    }

    /** What the verdict was judged by, for the history. */
    private static Evidence evidence(RuleBook.Decision decision, DelegationSnapshot snapshot, Instant now) {
        @Nullable Lease lease = snapshot.lease();
        @Nullable DeadHolder dead = snapshot.dead();
        return Evidence.ofSweeper(decision.rule().wireName(), Map.of("now", now))
                .with("dueAt", decision.dueAt())
                .with("deadlineAt", snapshot.deadlineAt())
                .with("cancelBy", snapshot.cancelBy())
                .with("acquiredAt", lease == null ? null : lease.acquiredAt())
                .with("maxRunning", snapshot.maxRunning())
                .with(
                        "exitCode",
                        snapshot.outcome() == null ? null : snapshot.outcome().exitCode())
                .with(
                        "outcomeAt",
                        snapshot.outcome() == null ? null : snapshot.outcome().at())
                .with(
                        "gate",
                        snapshot.gateVerdict() == null
                                ? null
                                : snapshot.gateVerdict().asData())
                .with("lastHeartbeatAt", lease == null ? null : lease.lastBeatAt())
                .with("leaseTime", lease == null ? null : lease.leaseTime())
                .with("staleAt", lease == null ? null : lease.staleAt())
                .with("deadCount", dead == null ? null : dead.count())
                .with("probe", dead == null ? null : dead.probe())
                .with("progress", lease == null ? null : lease.progress())
                .with("note", lease == null ? null : lease.note());
    }

    private static List<UUID> ids(List<Delegation> delegations) {
        return delegations.stream().map(Delegation::id).toList();
    }
}
