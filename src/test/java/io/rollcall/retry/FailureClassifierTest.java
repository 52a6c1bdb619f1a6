package io.rollcall.retry;

import static io.rollcall.retry.FailureClass.AUTH;
import static io.rollcall.retry.FailureClass.CIRCUIT_OPEN;
import static io.rollcall.retry.FailureClass.CLIENT_ERROR;
import static io.rollcall.retry.FailureClass.CONNECTION;
import static io.rollcall.retry.FailureClass.RATE_LIMITED;
import static io.rollcall.retry.FailureClass.SERVER_ERROR;
import static io.rollcall.retry.FailureClass.TIMEOUT;
import static io.rollcall.retry.FailureClass.UNKNOWN;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.rollcall.retry.ReportedError.Attempt;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class FailureClassifierTest {
    @ParameterizedTest(name = "{0}: retryable {1}")
    @CsvSource(delimiter = '|', textBlock = """
            connection    | true
            timeout       | true
            rate_limited  | true
            server_error  | true
            circuit_open  | true
            auth          | false
            configuration | false
            client_error  | false
            unknown       | false
            """)
    void trustsTheClassThatTheAgentStates(String word, boolean retryable) {
        FailureClass stated = Arrays.stream(FailureClass.values())
                .filter(failureClass -> failureClass.wireName().equals(word))
                .findFirst()
                .orElseThrow();
        ReportedError error = error(stated, null);

        assertEquals(stated, FailureClassifier.classify(error));
        assertEquals(retryable, FailureClassifier.isRetryable(error));
    }

    @Test
    void knowsNoClassBesidesThoseOfTheTable() {
        assertEquals(
                Set.of(
                        "connection",
                        "timeout",
                        "rate_limited",
                        "server_error",
                        "circuit_open",
                        "auth",
                        "configuration",
                        "client_error",
                        "unknown"),
                Arrays.stream(FailureClass.values()).map(FailureClass::wireName).collect(Collectors.toSet()));
    }

    @ParameterizedTest(name = "HTTP {0}: {1}, retryable {2}")
    @CsvSource(delimiter = '|', textBlock = """
            100 | UNKNOWN      | false
            200 | UNKNOWN      | false
            302 | UNKNOWN      | false
            399 | UNKNOWN      | false
            400 | CLIENT_ERROR | false
            401 | AUTH         | false
            402 | CLIENT_ERROR | false
            403 | AUTH         | false
            404 | CLIENT_ERROR | false
            407 | CLIENT_ERROR | false
            408 | TIMEOUT      | true
            409 | CLIENT_ERROR | false
            422 | CLIENT_ERROR | false
            428 | CLIENT_ERROR | false
            429 | RATE_LIMITED | true
            430 | CLIENT_ERROR | false
            499 | CLIENT_ERROR | false
            500 | SERVER_ERROR | true
            501 | SERVER_ERROR | true
            503 | SERVER_ERROR | true
            599 | SERVER_ERROR | true
            """)
    void derivesTheClassFromTheHttpStatusWhereNoneIsStated(int httpStatus, FailureClass expected, boolean retryable) {
        ReportedError error = error(null, httpStatus);

        assertEquals(expected, FailureClassifier.classify(error));
        assertEquals(retryable, FailureClassifier.isRetryable(error));
    }

    @Test
    void theStatedClassCountsMoreThanTheHttpStatus() {
        assertEquals(CONNECTION, FailureClassifier.classify(error(CONNECTION, 401)));
    }

    private static Stream<Arguments> chains() {
        Attempt refused = new Attempt(AUTH, null, null);
        Attempt busy = new Attempt(null, 503, null);
        Attempt silent = new Attempt(null, null, "no idea");
        return Stream.of(
                Arguments.of(
                        "the last one's class", error(AUTH, null, refused, new Attempt(TIMEOUT, 400, null)), TIMEOUT),
                Arguments.of("the last one's status", error(AUTH, 401, refused, busy), SERVER_ERROR),
                Arguments.of("not the first one", error(null, null, busy, refused), AUTH),
                Arguments.of("before its own class", error(CIRCUIT_OPEN, null, refused), AUTH),
                Arguments.of("before its own status", error(null, 429, refused), AUTH),
                Arguments.of(
                        "its own, where the last one says nothing", error(RATE_LIMITED, null, silent), RATE_LIMITED),
                Arguments.of("its own status then too", error(null, 404, busy, silent), CLIENT_ERROR),
                Arguments.of("unknown, where nobody says anything", error(null, null, busy, silent), UNKNOWN),
                Arguments.of(
                        "unknown, where the last one says so",
                        error(TIMEOUT, 503, busy, new Attempt(UNKNOWN, 503, null)),
                        UNKNOWN),
                Arguments.of("its own, where the chain is empty", error(TIMEOUT, null), TIMEOUT));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("chains")
    void aChainIsClassifiedBy(String rule, ReportedError error, FailureClass expected) {
        assertEquals(expected, FailureClassifier.classify(error));
        assertEquals(expected.isRetryable(), FailureClassifier.isRetryable(error));
    }

    @ParameterizedTest
    @EnumSource
    void theAgentsOwnWordOnRetriesOverridesEveryClass(FailureClass failureClass) {
        for (boolean word : new boolean[] {true, false}) {
            ReportedError error = new ReportedError(
                    failureClass, null, null, List.of(new Attempt(failureClass, null, null)), word, null);

            assertEquals(failureClass, FailureClassifier.classify(error));
            assertEquals(word, FailureClassifier.isRetryable(error));
        }
    }

    @Test
    void aFailureWithoutAnyErrorIsUnknown() {
        assertEquals(UNKNOWN, FailureClassifier.classify(null));
        assertFalse(FailureClassifier.isRetryable(null));
        assertEquals(UNKNOWN, FailureClassifier.classify(error(null, null)));
    }

    private static ReportedError error(
            @Nullable FailureClass failureClass, @Nullable Integer httpStatus, Attempt... attempts) {
        return new ReportedError(failureClass, httpStatus, "it failed", List.of(attempts), null, null);
    }
}
