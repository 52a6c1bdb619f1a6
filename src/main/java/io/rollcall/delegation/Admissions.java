package io.rollcall.delegation;

import io.rollcall.error.ErrorCode;
import io.rollcall.error.RefusedException;
import io.rollcall.error.Violation;
import io.rollcall.lease.LeaseConfig;
import io.rollcall.lease.LeaseRepository;
import io.rollcall.lease.NewLease;
import io.rollcall.queue.QueueRepository;
import io.rollcall.queue.QueueSettings;
import io.rollcall.retry.RetryConfig;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/** Turns requests into rows: what they ask for is frozen, those with an agent get their first lease. Writes no history. */
@ApplicationScoped
class Admissions {
    private final DelegationRepository delegations;
    private final LeaseRepository leases;
    private final QueueRepository queues;
    private final RetryConfig retry;
    private final DelegationConfig config;
    private final LeaseConfig leaseConfig;

    Admissions(
            DelegationRepository delegations,
            LeaseRepository leases,
            QueueRepository queues,
            RetryConfig retry,
            DelegationConfig config,
            LeaseConfig leaseConfig) {
        this.delegations = delegations;
        this.leases = leases;
        this.queues = queues;
        this.retry = retry;
        this.config = config;
        this.leaseConfig = leaseConfig;
    }

    /**
     * Inserts all of them, in the caller's transaction; that they were registered is for the caller to write.
     *
     * @throws RefusedException {@code invalid-request} if a time is out of range; with the place of each in the request
     */
    List<Delegation> admit(List<NewDelegation> requests, Instant now) {
        Map<String, QueueSettings> settings = settingsOf(requests);
        List<Violation> violations = new ArrayList<>();
        List<Delegation> created = requests.stream()
                .map(request -> create(request, settings, now, violations))
                .toList();
        refuse(violations);
        insert(created);
        return created;
    }

    private void insert(List<Delegation> created) {
        if (created.isEmpty()) {
            return;
        }
        delegations.insertAll(created);
        List<NewLease> acquired = created.stream()
                .filter(delegation -> delegation.status().holdsLease())
                .map(delegation -> firstLease(delegation, leaseTime(delegation)))
                .toList();
        if (!acquired.isEmpty()) {
            leases.acquire(acquired);
        }
    }

    /** Makes the entity; what is wrong with its times, judged by the database's clock, is added to the violations. */
    private Delegation create(
            NewDelegation request, Map<String, QueueSettings> queues, Instant now, List<Violation> violations) {
        String queue = request.wanted().effectiveQueue();
        QueueSettings settings = Optional.ofNullable(queue).map(queues::get).orElse(QueueSettings.unset(""));
        Instant horizon = now.plus(Registrations.HORIZON);
        Instant deadlineAt =
                request.deadlineAt() != null ? request.deadlineAt() : now.plus(deadlineIn(request, settings));
        Instant availableAt = request.availableAt() == null ? now : request.availableAt();
        if (!deadlineAt.isAfter(now)) {
            violations.add(new Violation(request.place() + "deadlineAt", "must be in the future"));
        } else if (deadlineAt.isAfter(horizon)) {
            violations.add(new Violation(request.place() + "deadlineAt", "must be within 30 days"));
        } else if (!availableAt.isBefore(deadlineAt)) {
            violations.add(new Violation(request.place() + "availableAt", "must be before the deadline"));
        }
        Terms terms = request.wanted().frozen(settings, retry, config);
        return new Delegation(request, terms, deadlineAt, availableAt, now);
    }

    private Duration deadlineIn(NewDelegation request, QueueSettings settings) {
        return Stream.of(request.deadlineIn(), settings.deadline())
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(config.deadline());
    }

    private Map<String, QueueSettings> settingsOf(List<NewDelegation> requests) {
        List<String> names = requests.stream()
                .map(request -> request.wanted().effectiveQueue())
                .filter(Objects::nonNull)
                .distinct()
                .toList();
        return names.isEmpty() ? Map.of() : queues.findAll(names);
    }

    /** That of the delegation, else of its queue, else of the settings. */
    private Duration leaseTime(Delegation delegation) {
        Terms terms = delegation.terms();
        if (terms.heartbeatTimeout() != null) {
            return terms.heartbeatTimeout();
        }
        Duration ofQueue =
                terms.queue() == null ? null : queues.find(terms.queue()).heartbeatTimeout();
        return ofQueue == null ? leaseConfig.heartbeatTimeout() : ofQueue;
    }

    private static NewLease firstLease(Delegation delegation, Duration leaseTime) {
        Terms terms = delegation.terms();
        return new NewLease(
                delegation.id(),
                delegation.epoch(),
                Objects.requireNonNull(terms.agent()),
                leaseTime,
                terms.isSoleAttempt());
    }

    private static void refuse(List<Violation> violations) {
        if (!violations.isEmpty()) {
            throw new RefusedException(ErrorCode.INVALID_REQUEST, "A time is out of range.")
                    .with("violations", violations);
        }
    }
}
