package io.rollcall.delegation;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.databind.JsonNode;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A delegation that is registered when another completes, as it is stored with that. Null: as for any registration.
 *
 * @param agent who is to do it; null: any agent of the queue
 * @param queue where it waits
 * @param task what is to be done
 * @param payload what its agent needs to know
 * @param labels up to 20
 * @param priority 0 to 9, highest first
 * @param deadlineIn how long after the completion it is given up
 * @param heartbeatTimeout lease time of its attempts
 * @param queueTimeout how long it may wait
 * @param maxRunning how long one attempt may last
 * @param maxRequeues how often it may be queued again
 * @param recovery what becomes of it when an attempt goes wrong
 * @param gate who is asked whether it counts, once it is reported as completed
 * @param passResult whether its payload is to carry the result of the other, as {@code parentResult}
 * @param onCompleted what follows its own completion
 */
@RegisterForReflection
@JsonIgnoreProperties(ignoreUnknown = true) // another version may have stored more
public record FollowUp(
        @Nullable String agent,
        @Nullable String queue,
        String task,
        @Nullable JsonNode payload,
        Map<String, String> labels,
        int priority,
        @Nullable Duration deadlineIn,
        @Nullable Duration heartbeatTimeout,
        @Nullable Duration queueTimeout,
        @Nullable Duration maxRunning,
        @Nullable Integer maxRequeues,
        @Nullable Recovery recovery,
        @Nullable JsonNode gate,
        boolean passResult,
        @Nullable List<FollowUp> onCompleted) {

    /** The field of its payload that carries the result of the delegation that it follows. */
    public static final String PARENT_RESULT = "parentResult";

    /** What it wants agreed, for the caller of the one that it follows. */
    Wanted wanted(String caller) {
        return new Wanted(
                caller,
                agent,
                queue,
                task,
                recovery,
                maxRequeues,
                heartbeatTimeout,
                queueTimeout,
                maxRunning,
                gate == null || gate.isNull() ? null : gate.toString());
    }
}
