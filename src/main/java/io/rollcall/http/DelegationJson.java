package io.rollcall.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.rollcall.delegation.DelegationDetail;
import io.rollcall.gate.DelegationRendering;
import jakarta.inject.Singleton;

/** Shows delegations to gates as clients see them. */
@Singleton
class DelegationJson implements DelegationRendering {
    private final ObjectMapper json;

    DelegationJson(ObjectMapper json) {
        this.json = json;
    }

    @Override
    public String json(DelegationDetail detail) {
        try {
            return json.writeValueAsString(DelegationView.of(detail));
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("A delegation that is not JSON", e);
        }
    }
}
