package io.rollcall.gate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quarkus.test.junit.QuarkusTest;
import io.rollcall.testing.GateServer;
import io.rollcall.testing.TestApi;
import jakarta.inject.Inject;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

@QuarkusTest
class GateBreakerTest {
    @Inject
    Gates gates;

    @Test
    void aGateThatDoesNotAnswerAgainAndAgainIsLeftAloneForAWhileAndNoOther() {
        try (GateServer broken = new GateServer().answers(500, "");
                GateServer sound = new GateServer()) {
            // given one that fails in twenty calls: each question is asked twice
            for (int i = 0; i < 10; i++) {
                assertEquals(Optional.empty(), gates.ask(question(broken)));
            }
            assertEquals(20, broken.asked().size());

            // when it is asked once more; then it is not called, and another one is
            assertEquals(Optional.empty(), gates.ask(question(broken)));
            assertEquals(20, broken.asked().size());
            assertTrue(gates.ask(question(sound)).orElseThrow().verdict().passed());
        }
    }

    @Test
    void countsTheAnswersAndNamesNoGate() {
        try (GateServer gate = new GateServer()) {
            gates.ask(question(gate));
        }

        String metrics = TestApi.get("/q/metrics").asString();

        assertTrue(metrics.contains("rollcall_gate_answers_total{answer=\"passed\"}"), metrics);
        assertFalse(metrics.contains("/gate\""), "an unbounded label");
        assertFalse(metrics.matches("(?s).*ft_[a-z_]+\\{[^}]*method=\"[0-9a-f]{8}-.*"), "an unbounded label");
    }

    private static GateQuestion question(GateServer gate) {
        return new GateQuestion(UUID.randomUUID(), 1, new Gate(gate.url(), null, Map.of()), "{}");
    }
}
