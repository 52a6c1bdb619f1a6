package io.rollcall.gate;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.rollcall.delegation.GateVerdict;
import io.rollcall.outbound.OutboundAnswer;
import io.rollcall.outbound.OutboundException;
import jakarta.inject.Singleton;
import org.jspecify.annotations.Nullable;

/** Reads the answers of gates, and takes nothing for a verdict that is none. */
@Singleton
class GateVerdicts {
    private static final int MAX_DETAIL = 1_000;
    private static final int SERVER_ERROR = 500;

    private final ObjectMapper json;

    GateVerdicts(ObjectMapper json) {
        this.json = json;
    }

    /**
     * What an answer says.
     *
     * @throws OutboundException if it says neither yes nor no
     */
    GateVerdict of(OutboundAnswer answer) {
        if (!answer.isSuccess()) {
            throw new OutboundException("answered with status " + answer.status(), answer.status() >= SERVER_ERROR);
        }
        JsonNode tree = tree(answer.body());
        JsonNode pass = tree.get("pass");
        if (pass == null || !pass.isBoolean()) {
            throw new OutboundException("did not answer with {\"pass\": true or false}", false);
        }
        return new GateVerdict(pass.booleanValue(), detail(tree.get("detail")));
    }

    private JsonNode tree(String body) {
        try {
            return json.readTree(body);
        } catch (JsonProcessingException e) {
            throw new OutboundException("did not answer with JSON", false);
        }
    }

    private static @Nullable String detail(@Nullable JsonNode detail) {
        if (detail == null || detail.isNull()) {
            return null;
        }
        return storable(detail.isTextual() ? detail.textValue() : detail.toString());
    }

    /** Cut to a length, and without what the database cannot keep. */
    private static String storable(String text) {
        return text.codePoints()
                .filter(point -> point != 0 && Character.getType(point) != Character.SURROGATE)
                .limit(MAX_DETAIL)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }
}
