package io.rollcall.it;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rollcall.it.PackagedService.Answer;
import io.rollcall.testing.PostgresResource;
import io.rollcall.testing.TestProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An agent that is a process of its own, and a service that is killed as well. */
class LivenessIT {
    private static final Map<String, String> QUICK =
            Map.of("ROLLCALL_SWEEPER_INTERVAL", "PT1S", "ROLLCALL_SWEEPER_DEAD_TICKS", "5");

    @TempDir
    Path directory;

    @Test
    void aKilledAgentIsNoticedAfterFiveTicksThoughTheServiceIsKilledInBetween() throws Exception {
        String url = PostgresResource.createDatabase();
        DataSource database = PostgresResource.dataSource(url);
        String id;
        try (var service = PackagedService.start(url, directory, QUICK);
                var agent = TestProcess.start()) {
            // given a claim that said where its agent is, and a long silence
            id = service.post("/v1/delegations", "{\"caller\": \"it\", \"queue\": \"q\", \"task\": \"task\"}")
                    .json()
                    .getString("id");
            Answer claimed = service.post(
                    "/v1/queues/q/claim",
                    "{\"agent\": \"a\", \"leaseTime\": \"PT1H\", \"probe\": " + json(agent.probe()) + "}");
            assertEquals(id, claimed.json().getString("items[0].id"), claimed.body());
            text(
                    database,
                    "update lease set last_beat_at = now() - interval '21 minutes' returning holder"); // of an hour

            // while it lives nothing counts
            await().until(() -> Integer.parseInt(text(database, "select count(*)::text from sweep")) >= 4);
            assertEquals("0", deadCount(database));

            // when it is killed, and the service as well, half-way
            agent.kill();
            await().until(() -> Integer.parseInt(deadCount(database)) >= 2);
            service.kill();
        }
        int before = Integer.parseInt(deadCount(database));
        assertTrue(before < 5, "half-way, not " + before);
        assertEquals("dispatched", status(database, id));

        // then the next one goes on counting, to five
        try (var service = PackagedService.start(url, directory, QUICK)) {
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> status(database, id).equals("queued"));
            Answer history = service.get("/v1/delegations/" + id + "/events");
            assertEquals("agent_dead", history.json().getString("items[-1].cause"), history.body());
            assertEquals("agent-dead", history.json().getString("items[-1].rule"));
            assertEquals(5, history.json().getInt("items[-1].data.deadCount"));
        }
    }

    private static String deadCount(DataSource database) {
        return text(database, "select dead_count::text from attempt");
    }

    private static String status(DataSource database, String id) {
        return text(database, "select status from delegation where id::text = ?", id);
    }

    private static String text(DataSource database, String sql, Object... parameters) {
        return OwnPostgres.text(database, sql, parameters);
    }

    private static String json(Map<String, Object> probe) {
        return probe.entrySet().stream()
                .map(entry -> "\"%s\": %s"
                        .formatted(
                                entry.getKey(),
                                entry.getValue() instanceof Number ? entry.getValue() : "\"" + entry.getValue() + "\""))
                .collect(Collectors.joining(", ", "{", "}"));
    }
}
