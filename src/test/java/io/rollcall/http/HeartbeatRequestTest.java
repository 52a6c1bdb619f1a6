package io.rollcall.http;

import static io.restassured.RestAssured.given;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quarkus.test.junit.QuarkusTest;
import io.restassured.path.json.JsonPath;
import io.rollcall.liveness.Probe;
import jakarta.inject.Inject;
import jakarta.validation.Validator;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What is let through without the validator is what the validator would let through. */
@QuarkusTest
class HeartbeatRequestTest {
    private static final List<Long> EPOCHS = Arrays.asList(null, Long.MIN_VALUE, -1L, 0L, 1L, Long.MAX_VALUE);
    private static final List<Double> PROGRESSES = Arrays.asList(
            null, Double.NaN, Double.NEGATIVE_INFINITY, -Double.MIN_VALUE, -0.0, 0.0, 0.5, 1.0, Math.nextUp(1.0), 2.0);
    private static final List<String> NOTES = Arrays.asList(
            null, "", "n".repeat(200), "n".repeat(201), "\uD83D\uDE00".repeat(200), "\uD83D\uDE00".repeat(201));
    private static final List<String> EFFECTS = Arrays.asList(null, "none", "non_idempotent", "other");
    private static final List<Duration> LEASE_TIMES =
            Arrays.asList(null, Duration.ZERO, Duration.ofSeconds(1), Duration.ofDays(31));

    @Inject
    Validator validator;

    @Test
    void whatIsPlainBreaksNoRule() {
        int plain = 0;
        for (Long epoch : EPOCHS) {
            for (Double progress : PROGRESSES) {
                for (String note : NOTES) {
                    for (String effect : EFFECTS) {
                        for (Duration leaseTime : LEASE_TIMES) {
                            var request = request(epoch, progress, note, effect, leaseTime);
                            if (request.isPlain()) {
                                plain++;
                                assertEquals(Set.of(), validator.validate(request), request::toString);
                            }
                        }
                    }
                }
            }
        }
        assertTrue(plain > 0);
    }

    @Test
    void whatNeedsAnExplanationIsNotPlain() {
        assertFalse(request(0L, null, null, null, null).isPlain());
        assertFalse(request(null, 1.01, null, null, null).isPlain());
        assertFalse(request(null, null, "n".repeat(201), null, null).isPlain());
        assertFalse(request(null, null, null, "other", null).isPlain());
        assertFalse(request(null, null, null, null, Duration.ZERO).isPlain());
    }

    @Test
    void whatAnAgentSaysAboutItselfIsNotPlain() {
        assertFalse(new HeartbeatRequest(1L, null, null, null, null, "i", null).isPlain());
        assertFalse(new HeartbeatRequest(1L, null, null, null, null, null, new Probe.OfPod("n", "p", "u")).isPlain());
    }

    private static HeartbeatRequest request(
            @Nullable Long epoch,
            @Nullable Double progress,
            @Nullable String note,
            @Nullable String effect,
            @Nullable Duration leaseTime) {
        return new HeartbeatRequest(epoch, progress, note, effect, leaseTime, null, null);
    }

    @Test
    void theDescriptionOfTheApiNamesTheFieldsOfABeatAndNoOther() {
        JsonPath document = given().get("/q/openapi?format=json").jsonPath();
        Set<String> fields = Set.of("epoch", "progress", "note", "effect", "leaseTime", "instance", "probe");
        Set<String> withId = new HashSet<>(fields);
        withId.add("id");

        assertEquals(
                fields,
                document.getMap("components.schemas.HeartbeatRequest.properties")
                        .keySet());
        assertEquals(
                withId,
                document.getMap("components.schemas.BulkItem.properties").keySet());
    }
}
