package io.rollcall.delegation;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a gate said of work that was reported as successful.
 *
 * @param passed whether it may count as completed
 * @param detail what it said about it, up to 1,000 characters
 */
public record GateVerdict(boolean passed, @Nullable String detail) {
    /** That the attempt went wrong, although its agent thought otherwise. */
    public Mishap mishap() {
        String message = detail == null ? "rejected by its gate" : detail;
        return new Mishap(
                Reason.GATE_REJECTED,
                true,
                JsonNodeFactory.instance.objectNode().put("message", message).toString());
    }

    /** The same for the history. */
    public Map<String, Object> asData() {
        Map<String, Object> data = new LinkedHashMap<>();
        data.put("passed", passed);
        if (detail != null) {
            data.put("detail", detail);
        }
        return data;
    }
}
