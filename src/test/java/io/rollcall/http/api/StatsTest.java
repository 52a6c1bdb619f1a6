package io.rollcall.http.api;

import static io.rollcall.testing.TestApi.direct;
import static io.rollcall.testing.TestApi.list;
import static io.rollcall.testing.TestApi.queued;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.quarkus.test.junit.QuarkusTest;
import io.restassured.path.json.JsonPath;
import io.rollcall.testing.TestApi;
import io.rollcall.testing.TestDelegation;
import io.rollcall.testing.TestSql;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The statistics say what the filters list. */
@QuarkusTest
class StatsTest {
    private static final List<String> STATUSES =
            List.of("queued", "dispatched", "in_progress", "stuck", "completed", "failed", "cancelled");

    @BeforeEach
    void emptyTheLedger() {
        TestSql.emptyLedger();
    }

    @Test
    void areFilledWithZeros() {
        JsonPath stats = stats();

        assertEquals(Set.copyOf(STATUSES), stats.getMap("byStatus").keySet());
        assertEquals(Set.of(0), Set.copyOf(stats.getMap("byStatus").values()));
        assertEquals(0, stats.getInt("neverBeat"));
        assertNull(stats.get("oldestQueuedAt"));

        queued().with("queue", "one").register();
        assertEquals(Set.copyOf(STATUSES), stats().getMap("byQueue.one").keySet());
    }

    @Test
    void areEqualToWhatTheFiltersList() {
        // given one of everything, and more of some
        TestDelegation oldest = queued().with("queue", "one").register();
        TestSql.age(oldest.id(), Duration.ofMinutes(3));
        queued().with("queue", "one").register();
        queued().with("queue", "two").register();
        queued().with("queue", "two").register().closed("cancelled");
        direct().register();
        direct().with("recovery", "requeue").with("queue", "two").register();
        direct().register().begun();
        direct().register().begun().stuck();
        direct().register().begun().report("completed").then().statusCode(200);
        direct().register().closed("failed");
        direct().register().closed("failed");

        // when
        JsonPath stats = stats();

        // then
        for (String status : STATUSES) {
            assertEquals(list("status", status).getList("items").size(), stats.getInt("byStatus." + status), status);
            for (String queue : List.of("one", "two")) {
                assertEquals(
                        list("status", status, "queue", queue).getList("items").size(),
                        stats.getInt("byQueue." + queue + "." + status),
                        queue + " " + status);
            }
        }
        assertEquals(
                Set.of("one", "two"),
                stats.<String, Map<String, Integer>>getMap("byQueue").keySet());
        assertEquals(3, stats.getInt("byStatus.queued"));
        assertEquals(2, stats.getInt("neverBeat"));
        assertEquals(list("neverBeat", true).getList("items").size(), stats.getInt("neverBeat"));
        assertEquals(oldest.read().getString("createdAt"), stats.getString("oldestQueuedAt"));
        assertEquals(
                list("status", "queued", "sort", "createdAt", "limit", 1).getString("items[0].createdAt"),
                stats.getString("oldestQueuedAt"));
    }

    private static JsonPath stats() {
        return TestApi.get("/v1/stats").then().statusCode(200).extract().jsonPath();
    }
}
