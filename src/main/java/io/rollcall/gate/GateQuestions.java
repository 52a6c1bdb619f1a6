package io.rollcall.gate;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.rollcall.delegation.Delegation;
import io.rollcall.delegation.DelegationDetail;
import io.rollcall.delegation.Delegations;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.UUID;

/** What is to be asked about delegations, as they are now. */
@ApplicationScoped
public class GateQuestions {
    private final Delegations delegations;
    private final DelegationRendering rendering;
    private final ObjectMapper json;

    GateQuestions(Delegations delegations, DelegationRendering rendering, ObjectMapper json) {
        this.delegations = delegations;
        this.rendering = rendering;
        this.json = json;
    }

    /** The questions about those of some delegations that wait for their gates. Reads in a transaction of its own. */
    public List<GateQuestion> about(List<UUID> ids) {
        return delegations.getAll(ids).stream()
                .filter(detail -> detail.delegation().awaitsGate())
                .map(this::about)
                .toList();
    }

    /** The question about one that has a gate. */
    public GateQuestion about(DelegationDetail detail) {
        Delegation delegation = detail.delegation();
        return new GateQuestion(
                delegation.id(),
                delegation.version(),
                gate(String.valueOf(delegation.terms().gate())),
                rendering.json(detail));
    }

    private Gate gate(String text) {
        try {
            return json.readValue(text, Gate.class);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("A stored gate that is none", e);
        }
    }
}
