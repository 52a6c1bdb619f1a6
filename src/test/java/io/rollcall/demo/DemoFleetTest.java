package io.rollcall.demo;

import static io.restassured.RestAssured.given;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.everyItem;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.not;

import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.test.junit.TestProfile;
import io.restassured.response.ValidatableResponse;
import io.rollcall.testing.PostgresResource;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.Test;

/** The demo beside a running service whose sweeper ticks by itself. */
@QuarkusTest
@TestProfile(DemoFleetTest.WithDemo.class)
class DemoFleetTest {
    private static final Duration A_MINUTE = Duration.ofMinutes(1);

    /** Shorter still than the demo's own timings. */
    public static final class WithDemo implements QuarkusTestProfile {
        @Override
        public Map<String, String> getConfigOverrides() {
            return Map.of(
                    DemoDefaults.DEMO,
                    "true",
                    "quarkus.scheduler.start-mode",
                    "forced",
                    "rollcall.sweeper.interval",
                    "PT1S",
                    "rollcall.lease.heartbeat-timeout",
                    "PT3S");
        }
    }

    @Test
    void showsEveryVerdictWithinAMinute() throws SQLException {
        // given the fleet has joined and the one that never starts is there
        eventually(() -> ofRole(DemoRole.ABSENT).body("items", hasSize(DemoRole.ABSENT.agents())));

        // when time goes on
        moveBack("deadline_at", DemoRole.ABSENT);

        // then
        eventually(() -> expect(DemoRole.FINISHER, "completed", "agent_reported"));
        eventually(() -> expect(DemoRole.FAILER, "failed", "agent_reported"));
        eventually(() -> expect(DemoRole.HOPELESS, "failed", "not_retryable"));
        eventually(() -> expect(DemoRole.ABSENT, "failed", "deadline_exceeded"));
        eventually(() -> expect(DemoRole.SILENT, "stuck", "heartbeat_stale"));
        eventually(() -> ofRole(DemoRole.CRASHER).body("items[0].requeueCount", equalTo(1)));
        moveBack("available_at", DemoRole.CRASHER);
        eventually(() -> expect(DemoRole.CRASHER, "failed", "queue_timeout"));
        // and those that beat for ever still do, in spite of a lease time long over
        expect(DemoRole.STEADY, "in_progress", null).body("items.lease.progress", everyItem(greaterThan(0.5f)));
    }

    private static void eventually(ThrowingRunnable expectation) {
        await().atMost(A_MINUTE).untilAsserted(expectation);
    }

    private static ValidatableResponse expect(DemoRole role, String status, String reason) {
        return ofRole(role)
                .body("items", not(hasSize(0)))
                .body("items.status", everyItem(equalTo(status)))
                .body("items.reason", everyItem(equalTo(reason)));
    }

    private static ValidatableResponse ofRole(DemoRole role) {
        return given().queryParam("caller", DemoMember.CALLER)
                .queryParam("label", DemoMember.ROLE_LABEL + ":" + role.word())
                .when()
                .get("/v1/delegations")
                .then()
                .statusCode(200);
    }

    /** Instead of waiting: what is to be over in a while, is. */
    private static void moveBack(String column, DemoRole role) throws SQLException {
        String sql = "update delegation set " + column + " = now() - interval '1 minute', due_at = now()"
                + " where caller = ? and labels ->> ? = ?";
        try (Connection connection = PostgresResource.dataSource().getConnection();
                PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setString(1, DemoMember.CALLER);
            statement.setString(2, DemoMember.ROLE_LABEL);
            statement.setString(3, role.word());
            statement.executeUpdate();
        }
    }
}
