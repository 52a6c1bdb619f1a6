package io.rollcall.delegation;

import io.rollcall.lease.Lease;
import jakarta.persistence.Basic;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.FetchType;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import jakarta.persistence.Version;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.hibernate.annotations.DynamicUpdate;
import org.hibernate.annotations.JdbcTypeCode;
import org.hibernate.type.SqlTypes;
import org.jspecify.annotations.Nullable;

/**
 * One piece of work. One method for each thing that can happen to it; each refuses what the state machine does not allow,
 * and returns the event that it caused. {@code @Version} decides between two that happen at once.
 */
@Entity
@Table(name = "delegation")
@DynamicUpdate // leaves payload and result alone unless they changed
@SuppressWarnings("NullAway.Init")
public class Delegation {
    @Id
    private UUID id;

    @Version
    private long version;

    private Terms terms;
    private DelegationStatus status;
    private @Nullable Reason reason;
    private @Nullable Reason cause;
    private @Nullable Boolean retryable;

    @JdbcTypeCode(SqlTypes.SMALLINT)
    private int priority;

    private long epoch;
    private int requeueCount;
    private Instant createdAt;
    private Instant updatedAt;
    private @Nullable Instant startedAt;
    private @Nullable Instant finishedAt;
    private Instant deadlineAt;
    private @Nullable Instant availableAt;
    private @Nullable Instant acquiredAt;
    private @Nullable Instant cancelBy;
    private @Nullable Instant dueAt;
    private @Nullable String holder;
    private @Nullable Outcome outcome;

    @Column(updatable = false)
    private @Nullable UUID retryOf;

    @Column(updatable = false)
    private @Nullable UUID parentId;

    @JdbcTypeCode(SqlTypes.SMALLINT)
    @Column(updatable = false)
    private @Nullable Integer followUp;

    @JdbcTypeCode(SqlTypes.SMALLINT)
    @Column(updatable = false)
    private @Nullable Integer followUps;

    @Column(updatable = false)
    private @Nullable String idempotencyKey;

    @Column(updatable = false)
    private byte @Nullable [] bodyHash;

    @JdbcTypeCode(SqlTypes.JSON)
    private Map<String, String> labels;

    @JdbcTypeCode(SqlTypes.JSON)
    @Basic(fetch = FetchType.LAZY)
    @Column(updatable = false)
    private @Nullable String payload;

    @JdbcTypeCode(SqlTypes.JSON)
    @Basic(fetch = FetchType.LAZY)
    private @Nullable String result;

    @JdbcTypeCode(SqlTypes.JSON)
    @Basic(fetch = FetchType.LAZY)
    @Column(updatable = false)
    private @Nullable String onCompleted;

    @JdbcTypeCode(SqlTypes.JSON)
    private @Nullable String error;

    @JdbcTypeCode(SqlTypes.JSON)
    private @Nullable String previous;

    /** For Hibernate. */
    protected Delegation() {}

    /**
     * Registers a delegation: one with an agent is dispatched under its first epoch, any other is queued.
     *
     * @param availableAt when it may be claimed first; counts only where it is queued
     */
    Delegation(NewDelegation request, Terms terms, Instant deadlineAt, Instant availableAt, Instant now) {
        this.id = request.id();
        this.terms = terms;
        this.priority = request.priority();
        this.labels = request.labels();
        this.payload = request.payload();
        this.retryOf = request.lineage().retryOf();
        this.parentId = request.lineage().parentId();
        this.followUp = request.lineage().followUp();
        if (request.onCompleted() != null) {
            this.onCompleted = request.onCompleted().json();
            this.followUps = request.onCompleted().count();
        }
        this.idempotencyKey = request.idempotencyKey();
        this.bodyHash = request.bodyHash();
        this.deadlineAt = deadlineAt;
        this.createdAt = now;
        this.updatedAt = now;
        if (terms.isDirect()) {
            this.status = DelegationStatus.DISPATCHED;
            this.epoch = 1;
            this.acquiredAt = now;
        } else {
            this.status = DelegationStatus.QUEUED;
            this.availableAt = availableAt;
        }
        this.dueAt = nextDue();
    }

    /** That it was registered. */
    DelegationEvent registered(Evidence evidence) {
        return event(EventKind.REGISTERED, null, evidence, createdAt);
    }

    /** Its agent has begun. */
    public DelegationEvent begin(Evidence evidence, Instant now) {
        DelegationEvent event = move(DelegationStatus.IN_PROGRESS, null, null, evidence, now);
        if (startedAt == null) {
            startedAt = now;
        }
        return event;
    }

    /** The run of its attempt has ended; what is left is finalization, and time alone ends it no more but at the deadline. */
    public DelegationEvent recordOutcome(Outcome outcome, Evidence evidence, Instant now) {
        if (!status.holdsLease()) {
            throw new InvalidTransitionException(id, status, status);
        }
        this.outcome = outcome;
        touch(now);
        return event(EventKind.OUTCOME, null, evidence.with("exitCode", outcome.exitCode()), now);
    }

    /** Its agent has reported it completed, with a result; whether that counts is for its gate to say. */
    public DelegationEvent holdForGate(Outcome outcome, @Nullable String result, Evidence evidence, Instant now) {
        DelegationEvent event = recordOutcome(outcome, evidence.with("reported", true), now);
        this.result = result;
        return event;
    }

    /** It is done. Where its cancellation was asked for it counts as cancelled, and keeps the result. */
    public DelegationEvent complete(Reason reason, @Nullable String result, Evidence evidence, Instant now) {
        DelegationEvent event = end(DelegationStatus.COMPLETED, reason, null, null, evidence, now);
        if (result != null || !isReported()) {
            this.result = result;
        }
        forgetError();
        return event;
    }

    /**
     * An attempt went wrong; the aftermath says what becomes of the delegation. Where its cancellation was asked for it is
     * cancelled, whatever the aftermath.
     *
     * @param attempt the hold under which it went wrong; null where there was none
     * @param availableAt when it may be claimed again; counts only where it is requeued
     */
    public DelegationEvent lose(
            Aftermath aftermath,
            Mishap mishap,
            @Nullable Lease attempt,
            Instant availableAt,
            Evidence evidence,
            Instant now) {
        Reason why = mishap.cause();
        DelegationEvent event = switch (aftermath) {
            case STUCK -> end(DelegationStatus.STUCK, why, why, true, evidence, now);
            case FAILED -> end(DelegationStatus.FAILED, why, why, mishap.retryable(), evidence, now);
            case NOT_RETRYABLE -> end(DelegationStatus.FAILED, Reason.NOT_RETRYABLE, why, false, evidence, now);
            case RETRIES_EXHAUSTED -> end(DelegationStatus.FAILED, Reason.RETRIES_EXHAUSTED, why, true, evidence, now);
            case REQUEUED -> requeue(why, attempt, availableAt, evidence, now);
        };
        if (mishap.error() != null) {
            error = mishap.error();
        }
        return event;
    }

    private DelegationEvent requeue(
            Reason why, @Nullable Lease attempt, Instant availableAt, Evidence evidence, Instant now) {
        DelegationEvent event = putBack(why, attempt, availableAt, evidence, now);
        if (status == DelegationStatus.QUEUED) {
            requeueCount++;
        }
        return event;
    }

    /** Queued again, unless its cancellation was asked for; the next attempt will be told about this one. */
    private DelegationEvent putBack(
            @Nullable Reason why, @Nullable Lease attempt, Instant availableAt, Evidence evidence, Instant now) {
        if (cancelBy == null) {
            requireMove(DelegationStatus.QUEUED);
            this.availableAt = availableAt;
            holder = null;
            acquiredAt = null;
            previous = attempt == null ? null : PreviousAttempt.of(attempt, outcome, why);
        }
        DelegationEvent event = end(DelegationStatus.QUEUED, null, why, null, kept(evidence), now);
        if (status == DelegationStatus.QUEUED) {
            if (isReported()) {
                result = null;
            }
            outcome = null;
        }
        return event;
    }

    /** Its run succeeded, and whoever was to finalize it is heard of no more: it counts as done as it was left. */
    public DelegationEvent completeAsLeft(Evidence evidence, Instant now) {
        DelegationEvent event = end(DelegationStatus.COMPLETED, Reason.AGENT_REPORTED, null, null, evidence, now);
        forgetError();
        return event;
    }

    /** What went wrong in earlier attempts is of no interest once it is completed. */
    private void forgetError() {
        if (status == DelegationStatus.COMPLETED) {
            error = null;
        }
    }

    /** Whether its agent has reported it completed, with a result, and only its gate has still to say whether that counts. */
    private boolean isReported() {
        return outcome != null && outcome.reported();
    }

    /** With the result that its gate did not accept: it makes room for that of the next attempt, but is not lost. */
    private Evidence kept(Evidence evidence) {
        boolean rejected = cancelBy == null && isReported() && result != null;
        return rejected ? evidence.with("result", new RawJson(String.valueOf(result))) : evidence;
    }

    /** Given up for a reason that leaves no room for another attempt: its deadline, say, or an operator's word. */
    public DelegationEvent giveUp(
            Reason reason, @Nullable Boolean retryable, @Nullable String error, Evidence evidence, Instant now) {
        boolean decidedByPeople = reason == Reason.OPERATOR || reason == Reason.SUPERSEDED;
        Reason why = decidedByPeople && cause != null ? cause : reason; // what went wrong went wrong before they came
        DelegationEvent event = end(DelegationStatus.FAILED, reason, why, retryable, evidence, now);
        if (error != null) {
            this.error = error;
        }
        return event;
    }

    /** It is called off. */
    public DelegationEvent cancel(@Nullable String result, Evidence evidence, Instant now) {
        DelegationEvent event =
                end(DelegationStatus.CANCELLED, Reason.CANCELLED, Reason.CANCELLED, null, evidence, now);
        if (result != null) {
            this.result = result;
        }
        return event;
    }

    /** It is given back, at no cost. Where its cancellation was asked for it is cancelled instead. */
    public DelegationEvent release(Lease attempt, Evidence evidence, Instant now) {
        return putBack(null, attempt, now, evidence, now);
    }

    /** Its end is asked for: its agent hears so with its next heartbeat, and time ends it if that does not help. */
    public DelegationEvent askCancel(Instant cancelBy, Evidence evidence, Instant now) {
        if (!status.isInFlight()) {
            throw new InvalidTransitionException(id, status, DelegationStatus.CANCELLED);
        }
        this.cancelBy = cancelBy;
        touch(now);
        return event(EventKind.CANCEL_REQUESTED, null, evidence, now);
    }

    /** An operator edits what may be edited while it is open; null leaves a field as it is. */
    public DelegationEvent edit(
            @Nullable Instant deadlineAt,
            @Nullable Integer priority,
            @Nullable Map<String, String> labels,
            Evidence evidence,
            Instant now) {
        if (status.isFinal()) {
            throw new InvalidTransitionException(id, status, status);
        }
        this.deadlineAt = deadlineAt == null ? this.deadlineAt : deadlineAt;
        this.priority = priority == null ? this.priority : priority;
        this.labels = labels == null ? this.labels : Map.copyOf(labels);
        touch(now);
        return event(EventKind.OPERATOR, null, evidence, now);
    }

    /** An operator did something about it that changes nothing of it. */
    DelegationEvent noted(Evidence evidence, Instant now) {
        return event(EventKind.OPERATOR, null, evidence, now);
    }

    /** What becomes of it when an attempt goes wrong. One that is stuck already is never put back. */
    public Recovery recoveryNow() {
        return status == DelegationStatus.STUCK ? Recovery.NONE : terms.recovery();
    }

    /** Whether its budget allows another attempt after one that went wrong. */
    public boolean hasBudget() {
        return requeueCount < terms.maxRequeues();
    }

    /** Ends an attempt, or the whole delegation; once cancellation was asked for, every end is a cancellation. */
    private DelegationEvent end(
            DelegationStatus next,
            @Nullable Reason reason,
            @Nullable Reason cause,
            @Nullable Boolean retryable,
            Evidence evidence,
            Instant now) {
        boolean calledOff = cancelBy != null && next != DelegationStatus.CANCELLED;
        DelegationEvent event = calledOff
                ? move(DelegationStatus.CANCELLED, Reason.CANCELLED, cause, evidence, now)
                : move(next, reason, cause, evidence, now);
        this.retryable = calledOff ? null : retryable;
        return event;
    }

    private DelegationEvent move(
            DelegationStatus next, @Nullable Reason reason, @Nullable Reason cause, Evidence evidence, Instant now) {
        requireMove(next);
        DelegationStatus previous = status;
        status = next;
        this.reason = reason;
        this.cause = cause == null ? this.cause : cause;
        finishedAt = next.isFinal() ? now : null;
        touch(now);
        return event(EventKind.TRANSITION, previous, evidence, now);
    }

    /** Refuses what the state machine does not know, before anything is changed. */
    private void requireMove(DelegationStatus next) {
        if (!status.successors().contains(next)) {
            throw new InvalidTransitionException(id, status, next);
        }
    }

    private void touch(Instant now) {
        updatedAt = now;
        dueAt = nextDue();
    }

    /** When time alone would end it, whatever its agent does. The sweeper's rules say the same, and are tested to. */
    private @Nullable Instant nextDue() {
        if (status.isFinal()) {
            return null;
        }
        Instant queueEnds = status == DelegationStatus.QUEUED && terms.queueTimeout() != null && availableAt != null
                ? availableAt.plus(terms.queueTimeout())
                : null;
        boolean running = status.isInFlight() && outcome == null;
        Instant runEnds = running && terms.maxRunning() != null && acquiredAt != null
                ? acquiredAt.plus(terms.maxRunning())
                : null;
        return Stream.of(deadlineAt, queueEnds, cancelBy, runEnds)
                .filter(Objects::nonNull)
                .min(Instant::compareTo)
                .orElseThrow();
    }

    private DelegationEvent event(EventKind kind, @Nullable DelegationStatus from, Evidence evidence, Instant now) {
        boolean moved = kind == EventKind.TRANSITION || kind == EventKind.REGISTERED;
        return new DelegationEvent(
                id,
                now,
                kind,
                from,
                moved ? status : null,
                moved ? reason : null,
                moved ? cause : null,
                epoch > 0 ? epoch : null,
                evidence.actor(),
                evidence.rule(),
                evidence.inputs());
    }

    /** Its identity, for life. */
    public UUID id() {
        return id;
    }

    /** Grows with every change of the row; heartbeats do not touch it. */
    public long version() {
        return version;
    }

    /** What was agreed at registration. */
    public Terms terms() {
        return terms;
    }

    /** Where it stands. */
    public DelegationStatus status() {
        return status;
    }

    /** Why it ended or got stuck. */
    public @Nullable Reason reason() {
        return reason;
    }

    /** What last went wrong. */
    public @Nullable Reason cause() {
        return cause;
    }

    /** Whether an operator's retry makes sense; null where nobody can say. */
    public @Nullable Boolean retryable() {
        return retryable;
    }

    /** 0 to 9, highest first. */
    public int priority() {
        return priority;
    }

    /** The epoch of the last acquisition, 0 before the first. */
    public long epoch() {
        return epoch;
    }

    /** How much of the budget is spent. */
    public int requeueCount() {
        return requeueCount;
    }

    /** When it was registered. */
    public Instant createdAt() {
        return createdAt;
    }

    /** When its row last changed. */
    public Instant updatedAt() {
        return updatedAt;
    }

    /** When an agent first began. */
    public @Nullable Instant startedAt() {
        return startedAt;
    }

    /** When it became final. */
    public @Nullable Instant finishedAt() {
        return finishedAt;
    }

    /** When it is given up, whatever its agent does. */
    public Instant deadlineAt() {
        return deadlineAt;
    }

    /** When it last became claimable, or will. */
    public @Nullable Instant availableAt() {
        return availableAt;
    }

    /** When it ends if its agent does not heed the cancellation; null where none was asked for. */
    public @Nullable Instant cancelBy() {
        return cancelBy;
    }

    /** When time alone would end it; null once final. */
    public Optional<Instant> dueAt() {
        return Optional.ofNullable(dueAt);
    }

    /** What the run of its present or last attempt ended with; null while it goes on. */
    public @Nullable Outcome outcome() {
        return outcome;
    }

    /** Whether its gate decides if it counts as completed: its run succeeded, and nobody has called it off. */
    public boolean awaitsGate() {
        return status.holdsLease()
                && outcome != null
                && outcome.exitCode() == 0
                && terms.gate() != null
                && cancelBy == null;
    }

    /** The delegation that this one tries again. */
    public @Nullable UUID retryOf() {
        return retryOf;
    }

    /** The delegation whose completion this one follows. */
    public @Nullable UUID parentId() {
        return parentId;
    }

    /** Whether anything is to be registered when it completes. */
    public boolean hasFollowUps() {
        return followUps != null;
    }

    /** What that is, as a list of {@link FollowUp} in JSON. Read from the database when first asked for. */
    @Nullable
    String onCompleted() {
        return onCompleted;
    }

    /** The same for one that takes its place. */
    NewDelegation.@Nullable OnCompleted sameOnCompleted() {
        return followUps == null ? null : new NewDelegation.OnCompleted(String.valueOf(onCompleted), followUps);
    }

    /** Who held it under an epoch, as far as is known: under its last one, or the first of a direct one. */
    String agentUnder(long someEpoch) {
        if (someEpoch == epoch && holder != null) {
            return holder;
        }
        return someEpoch == 1 && terms.agent() != null ? terms.agent() : "unknown";
    }

    /** What the next attempt is told about the last one, as JSON; null before the first requeue. */
    public @Nullable String previous() {
        return previous;
    }

    /** Whether its agent can give it back: where it came out of a queue, and not straight from its caller. */
    public boolean isClaimed() {
        return terms.queue() != null && (!terms.isDirect() || epoch > 1);
    }

    /** The SHA-256 of the body that registered it; null for a successor. */
    public byte @Nullable [] bodyHash() {
        return bodyHash;
    }

    /** Its caller's labels. */
    public Map<String, String> labels() {
        return labels;
    }

    /** What its agent needs to know, as JSON. Read from the database when first asked for. */
    public @Nullable String payload() {
        return payload;
    }

    /** What came out of it, as JSON. Read from the database when first asked for. */
    public @Nullable String result() {
        return result;
    }

    /** The last reported failure, as JSON. */
    public @Nullable String error() {
        return error;
    }
}
