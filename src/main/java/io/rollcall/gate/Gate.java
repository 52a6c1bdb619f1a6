package io.rollcall.gate;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A gate as it is stored with a delegation or a queue.
 *
 * @param url what is asked, by POST
 * @param timeout how long an answer is waited for; null: five seconds
 * @param headers the names of secrets by the headers that carry them; null: none
 */
@RegisterForReflection
@JsonIgnoreProperties(ignoreUnknown = true) // another version may have stored more
public record Gate(
        String url, @Nullable Duration timeout, @Nullable Map<String, String> headers) {
    /** The longest time that one answer is waited for, and the default. */
    public static final Duration MAX_TIMEOUT = Duration.ofSeconds(5);

    /** How long an answer is waited for. */
    Duration patience() {
        return timeout == null ? MAX_TIMEOUT : timeout;
    }

    /** The secrets by header. */
    Map<String, String> secrets() {
        return headers == null ? Map.of() : headers;
    }
}
