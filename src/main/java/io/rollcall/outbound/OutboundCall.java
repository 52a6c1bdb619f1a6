package io.rollcall.outbound;

import java.time.Duration;
import java.util.Map;

/**
 * A POST of JSON.
 *
 * @param target where to
 * @param headers besides those that describe the body; may hold secrets
 * @param body JSON
 * @param timeout after which nobody waits any more, from the look-up of the name to the last byte
 */
public record OutboundCall(OutboundTarget target, Map<String, String> headers, String body, Duration timeout) {
    /** Nothing of the headers or the body: they may hold secrets. */
    @Override
    public String toString() {
        return "POST " + target.withoutQuery();
    }
}
