package io.rollcall.delegation;

import io.rollcall.error.ErrorCode;
import io.rollcall.error.RefusedException;
import io.rollcall.lease.Beat;
import io.rollcall.lease.BeatRepository;
import io.rollcall.lease.Lease;
import io.rollcall.lease.LeaseRepository;
import io.rollcall.lease.Renewal;
import io.rollcall.time.DatabaseClock;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.persistence.OptimisticLockException;
import jakarta.transaction.Transactional;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What agents write into the history of their own work. */
@ApplicationScoped
public class Steps {
    private final DelegationRepository delegations;
    private final LeaseRepository leases;
    private final BeatRepository beats;
    private final LateReports lateReports;
    private final EventRepository events;
    private final Ledger ledger;
    private final DatabaseClock clock;

    Steps(
            DelegationRepository delegations,
            LeaseRepository leases,
            BeatRepository beats,
            LateReports lateReports,
            EventRepository events,
            Ledger ledger,
            DatabaseClock clock) {
        this.delegations = delegations;
        this.leases = leases;
        this.beats = beats;
        this.lateReports = lateReports;
        this.events = events;
        this.ledger = ledger;
        this.clock = clock;
    }

    /**
     * A step of an agent's run.
     *
     * @param delegationId of which delegation
     * @param epoch under which epoch; null where no other attempt can ever be
     * @param kind what kind of step, in the agent's own words
     * @param data what there is to say about it, as JSON; null: nothing
     * @param body the whole step as JSON in canonical form
     */
    public record Step(
            UUID delegationId,
            @Nullable Long epoch,
            String kind,
            @Nullable String data,
            String body) {}

    /**
     * A step that was written.
     *
     * @param seq its number in the history
     * @param renewal what it did to the lease: as a heartbeat
     */
    public record Written(long seq, Renewal renewal) {}

    /**
     * Renews the lease, as a heartbeat would, and only if that held appends the step.
     *
     * @throws RefusedException {@code not-found}, {@code epoch-required}, or {@code lease-lost}; then the step is kept in
     *     the history as a late report
     * @throws OptimisticLockException if others changed the delegation meanwhile; try again
     */
    @Transactional(dontRollbackOn = LateReportException.class)
    public Written append(Step step) {
        delegations.lockRow(step.delegationId());
        Delegation delegation = delegations.get(step.delegationId());
        long epoch = AgentEpoch.of(delegation, step.epoch());
        Instant now = clock.now();
        Lease lease = leases.find(step.delegationId()).orElse(null);
        if (lease == null || lease.epoch() != epoch) {
            throw late(delegation, epoch, step, now);
        }
        Evidence evidence = Evidence.ofAgent(lease.holder());
        if (delegation.status() == DelegationStatus.DISPATCHED) {
            ledger.write(List.of(new Change(delegation, delegation.begin(evidence, now))));
        }
        Renewal renewal = beats.renew(Beat.plain(step.delegationId(), epoch, null));
        Map<String, Object> data = new LinkedHashMap<>();
        data.put("kind", step.kind());
        if (step.data() != null) {
            data.put("data", new RawJson(step.data()));
        }
        events.append(List.of(new DelegationEvent(
                step.delegationId(),
                now,
                EventKind.STEP,
                null,
                null,
                null,
                null,
                epoch,
                evidence.actor(),
                null,
                data)));
        return new Written(events.lastSeq(step.delegationId()), renewal);
    }

    private LateReportException late(Delegation delegation, long epoch, Step step, Instant now) {
        lateReports.keep(delegation, epoch, "step", step.body(), ErrorCode.LEASE_LOST.wireName(), now);
        return new LateReportException(
                ErrorCode.LEASE_LOST,
                "The lease with epoch " + epoch + " is lost; the step was kept but changes nothing.",
                delegation);
    }
}
