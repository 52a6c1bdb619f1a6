package io.rollcall.gate;

import io.rollcall.delegation.GateVerdict;
import io.rollcall.outbound.OutboundException;
import io.smallrye.faulttolerance.api.TypedGuard;
import jakarta.enterprise.util.TypeLiteral;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletionStage;

/**
 * A guard for each gate: gives up in time, tries once more what may pass in a moment, and leaves a gate alone for a while
 * that does not answer again and again.
 */
@Singleton
class GateGuards {
    /** More gates than that, and those asked longest ago start afresh. */
    private static final int MAX_GATES = 1_000;

    private static final int RETRIES = 1;
    private static final int PAUSE_MILLIS = 100;

    /** The breaker opens where half of so many calls went wrong, and tries again after a pause. */
    private static final int CALLS = 20;

    private static final double FAILURE_RATIO = 0.5;
    private static final int OPEN_SECONDS = 5;

    private final Map<Key, TypedGuard<CompletionStage<GateVerdict>>> guards = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Key, TypedGuard<CompletionStage<GateVerdict>>> eldest) {
            return size() > MAX_GATES;
        }
    };

    private record Key(String target, Duration timeout) {}

    /**
     * The guard of a gate.
     *
     * @param target its URL without the query
     */
    TypedGuard<CompletionStage<GateVerdict>> of(String target, Duration timeout) {
        synchronized (guards) {
            return guards.computeIfAbsent(new Key(target, timeout), key -> guard(timeout));
        }
    }

    private static TypedGuard<CompletionStage<GateVerdict>> guard(Duration timeout) {
        return TypedGuard.create(new TypeLiteral<CompletionStage<GateVerdict>>() {
                    private static final long serialVersionUID = 1L;
                })
                .withTimeout()
                .duration(timeout.toMillis(), ChronoUnit.MILLIS)
                .done()
                .withRetry()
                .maxRetries(RETRIES)
                .delay(PAUSE_MILLIS, ChronoUnit.MILLIS)
                .jitter(PAUSE_MILLIS / 2, ChronoUnit.MILLIS)
                .whenException(failure -> failure instanceof OutboundException outbound && outbound.isPassing())
                .done()
                .withCircuitBreaker()
                .requestVolumeThreshold(CALLS)
                .failureRatio(FAILURE_RATIO)
                .delay(OPEN_SECONDS, ChronoUnit.SECONDS)
                .done()
                .build();
    }
}
