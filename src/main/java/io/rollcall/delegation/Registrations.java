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
import io.rollcall.time.DatabaseClock;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.transaction.Transactional;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** How delegations come into the ledger. */
@ApplicationScoped
public class Registrations {
    /** No deadline may be further away, and nothing may wait longer before it can be claimed. */
    public static final Duration HORIZON = Duration.ofDays(30);

    private final DelegationRepository delegations;
    private final LeaseRepository leases;
    private final Ledger ledger;
    private final Details details;
    private final DatabaseClock clock;
    private final QueueRepository queues;
    private final RetryConfig retry;
    private final DelegationConfig config;
    private final LeaseConfig leaseConfig;

    Registrations(
            DelegationRepository delegations,
            LeaseRepository leases,
            Ledger ledger,
            Details details,
            DatabaseClock clock,
            QueueRepository queues,
            RetryConfig retry,
            DelegationConfig config,
            LeaseConfig leaseConfig) {
        this.delegations = delegations;
        this.leases = leases;
        this.ledger = ledger;
        this.details = details;
        this.clock = clock;
        this.queues = queues;
        this.retry = retry;
        this.config = config;
        this.leaseConfig = leaseConfig;
    }

    /**
     * Registers all of them or none. One whose id or idempotency key is known already, with the same body, is answered as
     * it is now, whatever became of it.
     *
     * @throws RefusedException {@code idempotency-mismatch} if the body is another; {@code invalid-request} if a time is
     *     out of range; with the place of each in the request
     */
    @Transactional
    public List<Registration> register(List<NewDelegation> requests) {
        IdentityHashMap<NewDelegation, Delegation> known = findKnown(requests);
        Instant now = clock.now();
        Map<String, QueueSettings> settings = settingsOf(requests);
        List<Violation> violations = new ArrayList<>();
        List<Delegation> added = new ArrayList<>();
        List<Delegation> answered = new ArrayList<>();
        for (NewDelegation request : requests) {
            Delegation delegation = known.get(request);
            if (delegation == null) {
                delegation = create(request, settings, now, violations);
                added.add(delegation);
            }
            answered.add(delegation);
        }
        refuse(violations);
        insert(added, delegation -> Evidence.ofCaller(delegation.terms().caller()));
        List<DelegationDetail> found = details.of(answered, requests.size() == 1);
        return IntStream.range(0, requests.size())
                .mapToObj(i -> new Registration(found.get(i), !known.containsKey(requests.get(i))))
                .toList();
    }

    /** Adds one within the caller's transaction: a successor, say. */
    Delegation addWithin(NewDelegation request, Evidence evidence, Instant now) {
        List<Violation> violations = new ArrayList<>();
        Delegation delegation = create(request, settingsOf(List.of(request)), now, violations);
        refuse(violations);
        insert(List.of(delegation), added -> evidence);
        return delegation;
    }

    private IdentityHashMap<NewDelegation, Delegation> findKnown(List<NewDelegation> requests) {
        Map<UUID, Delegation> byId = delegations
                .findAllById(requests.stream().map(NewDelegation::id).toList())
                .stream()
                .collect(Collectors.toMap(Delegation::id, Function.identity()));
        IdentityHashMap<NewDelegation, Delegation> known = new IdentityHashMap<>();
        List<Violation> mismatches = new ArrayList<>();
        for (NewDelegation request : requests) {
            findByKey(request)
                    .or(() -> Optional.ofNullable(byId.get(request.id())))
                    .ifPresent(delegation -> {
                        known.put(request, delegation);
                        if (!Arrays.equals(delegation.bodyHash(), request.bodyHash())) {
                            mismatches.add(new Violation(
                                    request.place() + "id", "was registered with another body: " + delegation.id()));
                        }
                    });
        }
        if (!mismatches.isEmpty()) {
            throw new RefusedException(
                            ErrorCode.IDEMPOTENCY_MISMATCH, "The same id or idempotency key came with another body.")
                    .with("violations", mismatches);
        }
        return known;
    }

    private Optional<Delegation> findByKey(NewDelegation request) {
        return Optional.ofNullable(request.idempotencyKey())
                .flatMap(
                        key -> delegations.findByIdempotencyKey(request.wanted().caller(), key));
    }

    /** Makes the entity; what is wrong with its times, judged by the database's clock, is added to the violations. */
    private Delegation create(
            NewDelegation request, Map<String, QueueSettings> queues, Instant now, List<Violation> violations) {
        String queue = request.wanted().effectiveQueue();
        QueueSettings settings = Optional.ofNullable(queue).map(queues::get).orElse(QueueSettings.unset(""));
        Instant horizon = now.plus(HORIZON);
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

    private void insert(List<Delegation> added, Function<Delegation, Evidence> evidence) {
        if (added.isEmpty()) {
            return;
        }
        delegations.insertAll(added);
        List<NewLease> acquired = added.stream()
                .filter(delegation -> delegation.status().holdsLease())
                .map(delegation -> firstLease(delegation, leaseTime(delegation)))
                .toList();
        if (!acquired.isEmpty()) {
            leases.acquire(acquired);
        }
        ledger.write(added.stream()
                .map(delegation -> new Change(delegation, delegation.registered(evidence.apply(delegation))))
                .toList());
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
