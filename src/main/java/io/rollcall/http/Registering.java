package io.rollcall.http;

import io.rollcall.delegation.Lineage;
import io.rollcall.delegation.NewDelegation;
import io.rollcall.delegation.Sha256;
import io.rollcall.delegation.Successors;
import io.rollcall.delegation.Wanted;
import jakarta.inject.Singleton;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Turns a request into a registration, with the defaults of the API. */
@Singleton
class Registering {
    static final int DEFAULT_PRIORITY = 5;

    private final CanonicalJson json;
    private final GateTerms gates;
    private final FollowUpTerms followUps;

    Registering(CanonicalJson json, GateTerms gates, FollowUpTerms followUps) {
        this.json = json;
        this.gates = gates;
        this.followUps = followUps;
    }

    /**
     * Fills in what the request left out.
     *
     * @param place where it stands in the body, see {@link NewDelegation}
     */
    NewDelegation toNew(RegisterRequest request, String place, @Nullable String idempotencyKey) {
        return new NewDelegation(
                place,
                request.id() == null ? Successors.newId() : request.id(),
                wanted(request, place),
                request.priority() == null ? DEFAULT_PRIORITY : request.priority(),
                request.labels() == null ? Map.of() : request.labels(),
                json.document(request.payload(), place + "payload"),
                request.deadlineAt(),
                request.deadlineIn(),
                request.availableAt(),
                Lineage.NONE,
                followUps.stored(request.onCompleted(), request.caller(), place + "onCompleted"),
                idempotencyKey,
                Sha256.of(json.of(request)));
    }

    private Wanted wanted(RegisterRequest request, String place) {
        return new Wanted(
                request.caller(),
                request.agent(),
                request.queue(),
                request.task(),
                request.recovery(),
                request.maxRequeues(),
                request.heartbeatTimeout(),
                request.queueTimeout(),
                request.maxRunning(),
                gates.stored(request.gate(), place + "gate"));
    }
}
