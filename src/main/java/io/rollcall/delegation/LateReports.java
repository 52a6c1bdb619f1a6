package io.rollcall.delegation;

import jakarta.enterprise.context.ApplicationScoped;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Keeps what agents reported too late: nothing an agent sends is lost, and nothing of it changes the delegation. */
@ApplicationScoped
class LateReports {
    /** How many are kept of one delegation; further ones are only counted. */
    private static final int KEPT = 100;

    private final DelegationRepository delegations;
    private final EventRepository events;

    LateReports(DelegationRepository delegations, EventRepository events) {
        this.delegations = delegations;
        this.events = events;
    }

    /**
     * Appends a refused report to the history, once.
     *
     * @param kind what was reported: the status, {@code outcome} or {@code step}
     */
    void keep(Delegation delegation, long epoch, String kind, String body, String refusal, Instant now) {
        String hash = Sha256.hex(body);
        delegations.lockUnchanged(delegation); // else the refusal was judged by what is no longer so
        if (events.hasLateReport(delegation.id(), hash) || delegations.countLateReport(delegation.id()) > KEPT) {
            return;
        }
        Map<String, Object> data = new LinkedHashMap<>();
        data.put("reported", kind);
        data.put("refusedAs", refusal);
        data.put("bodyHash", hash);
        data.put("body", new RawJson(body));
        events.append(List.of(new DelegationEvent(
                delegation.id(),
                now,
                EventKind.LATE_REPORT,
                null,
                null,
                null,
                null,
                epoch,
                events.findClaimant(delegation.id(), epoch)
                        .orElseGet(() ->
                                Evidence.ofAgent(delegation.agentUnder(epoch)).actor()),
                null,
                data)));
    }
}
