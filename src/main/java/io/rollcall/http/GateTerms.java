package io.rollcall.http;

import io.rollcall.error.Violation;
import io.rollcall.http.problem.Problem;
import io.rollcall.outbound.OutboundTargets;
import io.rollcall.outbound.Secrets;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Turns gates in requests into what is stored, and refuses those that could never be asked. */
@Singleton
class GateTerms {
    private final CanonicalJson json;
    private final OutboundTargets targets;
    private final Secrets secrets;

    GateTerms(CanonicalJson json, OutboundTargets targets, Secrets secrets) {
        this.json = json;
        this.targets = targets;
        this.secrets = secrets;
    }

    /**
     * A gate as it is stored; null where there is none.
     *
     * @param field where it stands in the request
     */
    @Nullable
    String stored(@Nullable GateRequest gate, String field) {
        if (gate == null) {
            return null;
        }
        List<Violation> violations = violations(gate, field);
        if (!violations.isEmpty()) {
            throw Problem.invalid(violations);
        }
        return json.of(gate);
    }

    private List<Violation> violations(GateRequest gate, String field) {
        List<Violation> violations = new ArrayList<>();
        targets.objection(gate.url()).ifPresent(objection -> violations.add(new Violation(field + ".url", objection)));
        if (violations.isEmpty() && gate.headers() != null) {
            String host = targets.parse(gate.url()).host();
            for (Map.Entry<String, String> header : gate.headers().entrySet()) {
                secrets.objection(header.getValue(), host)
                        .ifPresent(objection ->
                                violations.add(new Violation(field + ".headers." + header.getKey(), objection)));
            }
        }
        return violations;
    }
}
