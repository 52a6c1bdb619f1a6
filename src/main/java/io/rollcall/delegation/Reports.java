package io.rollcall.delegation;

import io.rollcall.error.ErrorCode;
import io.rollcall.error.RefusedException;
import io.rollcall.lease.Lease;
import io.rollcall.lease.LeaseRepository;
import io.rollcall.retry.FailureClassifier;
import io.rollcall.retry.ReportedError;
import io.rollcall.time.DatabaseClock;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.persistence.OptimisticLockException;
import jakarta.transaction.Transactional;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** How work ends: what agents report of it, and what operators decide. */
@ApplicationScoped
public class Reports {
    private final DelegationRepository delegations;
    private final LeaseRepository leases;
    private final AttemptReportRepository attempts;
    private final LateReports lateReports;
    private final Outcomes outcomes;
    private final Ledger ledger;
    private final Details details;
    private final DatabaseClock clock;
    private final RequeueDelays delays;

    Reports(
            DelegationRepository delegations,
            LeaseRepository leases,
            AttemptReportRepository attempts,
            LateReports lateReports,
            Outcomes outcomes,
            Ledger ledger,
            Details details,
            DatabaseClock clock,
            RequeueDelays delays) {
        this.delegations = delegations;
        this.leases = leases;
        this.attempts = attempts;
        this.lateReports = lateReports;
        this.outcomes = outcomes;
        this.ledger = ledger;
        this.details = details;
        this.clock = clock;
        this.delays = delays;
    }

    /**
     * Settles a delegation, or says that it has begun.
     *
     * @throws RefusedException {@code epoch-required}, {@code precondition-failed}, {@code invalid-transition} or
     *     {@code lease-lost}; of the last two, those of agents are kept in the history
     * @throws OptimisticLockException if others changed the delegation meanwhile; try again
     */
    @Transactional(dontRollbackOn = LateReportException.class)
    public ReportAnswer report(Report report) {
        Delegation delegation = delegations.get(report.id());
        return report.isByOperator() ? close(delegation, report) : byAgent(delegation, report);
    }

    private ReportAnswer close(Delegation delegation, Report report) {
        Preconditions.requireVersion(delegation, report.ifMatch());
        Instant now = clock.now();
        Evidence evidence = Evidence.ofOperator().with("note", report.note());
        DelegationEvent event = switch (report.status()) {
            case COMPLETED -> delegation.complete(Reason.OPERATOR, report.result(), evidence, now);
            case FAILED -> delegation.giveUp(Reason.OPERATOR, true, report.errorJson(), evidence, now);
            case CANCELLED -> delegation.cancel(report.result(), evidence, now);
            case QUEUED, DISPATCHED, IN_PROGRESS, STUCK ->
                throw new RefusedException(
                        ErrorCode.EPOCH_REQUIRED,
                        "An operator may report completed, failed or cancelled; an agent needs its epoch.");
        };
        ledger.write(List.of(new Change(delegation, event)));
        return ReportAnswer.of(details.of(delegation), Disposition.SETTLED.wireName());
    }

    private ReportAnswer byAgent(Delegation delegation, Report report) {
        long epoch = AgentEpoch.of(delegation, report.epoch());
        byte[] hash = Sha256.of(report.body());
        Optional<String> before =
                attempts.find(report.id(), epoch, report.status().wireName(), hash);
        if (before.isPresent()) {
            return ReportAnswer.of(details.of(delegation), before.get());
        }
        Preconditions.requireVersion(delegation, report.ifMatch());
        Instant now = clock.now();
        Lease lease = leases.find(report.id()).orElse(null);
        if (lease == null || lease.epoch() != epoch || !isAllowed(delegation, report)) {
            throw late(delegation, lease, epoch, report, now);
        }
        if (report.status() == DelegationStatus.IN_PROGRESS) {
            begin(delegation, lease, now);
            return ReportAnswer.of(details.of(delegation), null);
        }
        if (report.status() == DelegationStatus.COMPLETED && hasGate(delegation)) {
            holdForGate(delegation, lease, report, now);
            attempts.remember(report.id(), epoch, report.status().wireName(), hash, Disposition.PENDING);
            return new ReportAnswer(details.of(delegation), Disposition.PENDING.wireName(), true);
        }
        DelegationEvent event = end(delegation, lease, report, now);
        ledger.write(List.of(new Change(delegation, event)));
        Disposition disposition = Disposition.of(report.status(), delegation.status());
        attempts.remember(report.id(), epoch, report.status().wireName(), hash, disposition);
        return ReportAnswer.of(details.of(delegation), disposition.wireName());
    }

    /** Whether a completion is for the gate to decide; what was called off is cancelled whatever it says. */
    private static boolean hasGate(Delegation delegation) {
        return delegation.terms().gate() != null && delegation.cancelBy() == null;
    }

    /** Keeps a success for the gate to judge; an outcome that was recorded before it stands if it was one. */
    private void holdForGate(Delegation delegation, Lease lease, Report report, Instant now) {
        Outcome known = delegation.outcome();
        Outcome outcome = known != null && known.exitCode() == 0
                ? new Outcome(0, known.note(), known.at(), true)
                : new Outcome(0, report.note(), now, true);
        outcomes.hold(delegation, lease, outcome, report, now);
    }

    /**
     * Settles a delegation that waits for its gate, as it was when the gate was asked. If it is no longer so, nothing
     * happens: whoever changed it has decided, or the gate will be asked again.
     *
     * @param version as it was read when the gate was asked
     * @throws OptimisticLockException if others change the delegation meanwhile; try again
     */
    @Transactional
    public ReportAnswer settle(UUID id, long epoch, long version, GateVerdict verdict) {
        Delegation delegation = delegations.get(id);
        Lease lease = leases.find(id).orElse(null);
        if (lease != null && lease.epoch() == epoch && delegation.version() == version && delegation.awaitsGate()) {
            Instant now = clock.now();
            Evidence evidence = Evidence.ofAgent(lease.holder()).with("gate", verdict.asData());
            ledger.write(List.of(new Change(delegation, settled(delegation, lease, verdict, evidence, now))));
        }
        return ReportAnswer.of(
                details.of(delegation), attempts.findDisposition(id, epoch).orElse(null));
    }

    private DelegationEvent settled(
            Delegation delegation, Lease lease, GateVerdict verdict, Evidence evidence, Instant now) {
        if (verdict.passed()) {
            return delegation.completeAsLeft(evidence, now);
        }
        Aftermath aftermath = Aftermath.of(delegation.recoveryNow(), false, true, delegation.hasBudget());
        Instant again = delays.availableAgain(delegation, null, now);
        return delegation.lose(aftermath, verdict.mishap(), lease, again, evidence, now);
    }

    /** A release needs a queue to go back to, and may not take the place of what the state machine allows. */
    private static boolean isAllowed(Delegation delegation, Report report) {
        DelegationStatus from = delegation.status();
        return (from.successors().contains(report.status())
                        && (report.status() != DelegationStatus.QUEUED || canBeReleased(delegation)))
                || (report.status() == DelegationStatus.IN_PROGRESS && from == DelegationStatus.IN_PROGRESS);
    }

    private static boolean canBeReleased(Delegation delegation) {
        return delegation.terms().queue() != null && !delegation.terms().isSoleAttempt();
    }

    private void begin(Delegation delegation, Lease lease, Instant now) {
        if (delegation.status() != DelegationStatus.IN_PROGRESS) {
            DelegationEvent event = delegation.begin(Evidence.ofAgent(lease.holder()), now);
            ledger.write(List.of(new Change(delegation, event)));
            if (!leases.begin(delegation.id(), lease.epoch())) {
                throw new OptimisticLockException("The lease moved on: " + delegation.id());
            }
        }
    }

    private DelegationEvent end(Delegation delegation, Lease lease, Report report, Instant now) {
        Lease said = lease.saying(report.progress(), report.note());
        Evidence evidence =
                Evidence.ofAgent(lease.holder()).with("note", said.note()).with("progress", said.progress());
        return switch (report.status()) {
            case COMPLETED -> delegation.complete(Reason.AGENT_REPORTED, report.result(), evidence, now);
            case CANCELLED -> delegation.cancel(report.result(), evidence, now);
            case QUEUED -> delegation.release(said, evidence, now);
            case FAILED -> fail(delegation, said, report, evidence, now);
            case DISPATCHED, IN_PROGRESS, STUCK ->
                throw new IllegalArgumentException("Ends nothing: " + report.status());
        };
    }

    private DelegationEvent fail(Delegation delegation, Lease lease, Report report, Evidence evidence, Instant now) {
        boolean retryable = FailureClassifier.isRetryable(report.error());
        Aftermath aftermath = Aftermath.of(delegation.recoveryNow(), false, retryable, delegation.hasBudget());
        Mishap mishap = new Mishap(Reason.AGENT_REPORTED, retryable, report.errorJson());
        Instant again = delays.availableAgain(delegation, retryAfter(report.error()), now);
        Evidence judged = evidence.with(
                "failureClass", FailureClassifier.classify(report.error()).wireName());
        return delegation.lose(aftermath, mishap, lease, again, judged, now);
    }

    private static @Nullable Duration retryAfter(@Nullable ReportedError error) {
        return error == null || error.retryAfterS() == null ? null : Duration.ofSeconds(error.retryAfterS());
    }

    /** Keeps the report in the history and makes the refusal. */
    private LateReportException late(
            Delegation delegation, @Nullable Lease lease, long epoch, Report report, Instant now) {
        boolean impossible = delegation.status().isFinal() || (lease != null && lease.epoch() == epoch);
        ErrorCode code = impossible ? ErrorCode.INVALID_TRANSITION : ErrorCode.LEASE_LOST;
        lateReports.keep(delegation, epoch, report.status().wireName(), report.body(), code.wireName(), now);
        return new LateReportException(
                code,
                impossible
                        ? "The delegation is " + delegation.status().wireName() + " and cannot become "
                                + report.status().wireName() + "."
                        : "The lease with epoch " + epoch + " is lost; the report was kept but changes nothing.",
                delegation);
    }
}
