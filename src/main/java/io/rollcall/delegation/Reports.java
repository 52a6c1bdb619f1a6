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
import org.jspecify.annotations.Nullable;

/** How work ends: what agents report of it, and what operators decide. */
@ApplicationScoped
public class Reports {
    private final DelegationRepository delegations;
    private final LeaseRepository leases;
    private final AttemptReportRepository attempts;
    private final LateReports lateReports;
    private final Ledger ledger;
    private final Details details;
    private final DatabaseClock clock;
    private final RequeueDelays delays;

    Reports(
            DelegationRepository delegations,
            LeaseRepository leases,
            AttemptReportRepository attempts,
            LateReports lateReports,
            Ledger ledger,
            Details details,
            DatabaseClock clock,
            RequeueDelays delays) {
        this.delegations = delegations;
        this.leases = leases;
        this.attempts = attempts;
        this.lateReports = lateReports;
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
        return new ReportAnswer(details.of(delegation), Disposition.SETTLED.wireName());
    }

    private ReportAnswer byAgent(Delegation delegation, Report report) {
        long epoch = AgentEpoch.of(delegation, report.epoch());
        byte[] hash = Sha256.of(report.body());
        Optional<String> before =
                attempts.find(report.id(), epoch, report.status().wireName(), hash);
        if (before.isPresent()) {
            return new ReportAnswer(details.of(delegation), before.get());
        }
        Preconditions.requireVersion(delegation, report.ifMatch());
        Instant now = clock.now();
        Lease lease = leases.find(report.id()).orElse(null);
        if (lease == null || lease.epoch() != epoch || !isAllowed(delegation, report)) {
            throw late(delegation, lease, epoch, report, now);
        }
        if (report.status() == DelegationStatus.IN_PROGRESS) {
            begin(delegation, lease, now);
            return new ReportAnswer(details.of(delegation), null);
        }
        DelegationEvent event = end(delegation, lease, report, now);
        ledger.write(List.of(new Change(delegation, event)));
        Disposition disposition = Disposition.of(report.status(), delegation.status());
        attempts.remember(report.id(), epoch, report.status().wireName(), hash, disposition);
        return new ReportAnswer(details.of(delegation), disposition.wireName());
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
