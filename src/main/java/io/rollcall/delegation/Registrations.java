package io.rollcall.delegation;

import io.rollcall.error.ErrorCode;
import io.rollcall.error.RefusedException;
import io.rollcall.error.Violation;
import io.rollcall.time.DatabaseClock;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.transaction.Transactional;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** How delegations come into the ledger. */
@ApplicationScoped
public class Registrations {
    /** No deadline may be further away, and nothing may wait longer before it can be claimed. */
    public static final Duration HORIZON = Duration.ofDays(30);

    private final DelegationRepository delegations;
    private final Admissions admissions;
    private final Ledger ledger;
    private final Details details;
    private final DatabaseClock clock;

    Registrations(
            DelegationRepository delegations,
            Admissions admissions,
            Ledger ledger,
            Details details,
            DatabaseClock clock) {
        this.delegations = delegations;
        this.admissions = admissions;
        this.ledger = ledger;
        this.details = details;
        this.clock = clock;
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
        List<NewDelegation> unknown =
                requests.stream().filter(request -> !known.containsKey(request)).toList();
        Iterator<Delegation> added = add(
                        unknown, request -> Evidence.ofCaller(request.terms().caller()), clock.now())
                .iterator();
        List<Delegation> answered = requests.stream()
                .map(request -> Optional.ofNullable(known.get(request)).orElseGet(added::next))
                .toList();
        List<DelegationDetail> found = details.of(answered, requests.size() == 1);
        return IntStream.range(0, requests.size())
                .mapToObj(i -> new Registration(found.get(i), !known.containsKey(requests.get(i))))
                .toList();
    }

    /** Adds one within the caller's transaction: a successor, say. */
    Delegation addWithin(NewDelegation request, Evidence evidence, Instant now) {
        return add(List.of(request), added -> evidence, now).get(0);
    }

    private List<Delegation> add(List<NewDelegation> requests, Function<Delegation, Evidence> evidence, Instant now) {
        if (requests.isEmpty()) {
            return List.of();
        }
        List<Delegation> added = admissions.admit(requests, now);
        ledger.write(added.stream()
                .map(delegation -> new Change(delegation, delegation.registered(evidence.apply(delegation))))
                .toList());
        return added;
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
}
