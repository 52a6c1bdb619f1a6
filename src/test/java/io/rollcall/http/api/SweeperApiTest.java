package io.rollcall.http.api;

import static io.restassured.RestAssured.given;
import static io.rollcall.testing.TestApi.direct;
import static io.rollcall.testing.TestApi.expectProblem;
import static io.rollcall.testing.TestApi.queued;
import static io.rollcall.testing.TestApi.time;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasKey;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.notNullValue;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quarkus.test.junit.QuarkusTest;
import io.restassured.path.json.JsonPath;
import io.rollcall.testing.TestApi;
import io.rollcall.testing.TestDelegation;
import io.rollcall.testing.TestSql;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What operators see of the sweeper, and what they can tell it. */
@QuarkusTest
class SweeperApiTest {
    @BeforeEach
    @AfterEach
    void emptyTheLedger() {
        TestSql.emptyLedger();
    }

    @Test
    void showsItsSettings() {
        TestApi.get("/v1/sweeper")
                .then()
                .statusCode(200)
                .body("enabled", equalTo(true))
                .body("paused", equalTo(false))
                .body("settings.interval", equalTo("PT5M"))
                .body("settings.heartbeatTimeout", equalTo("PT10M"))
                .body("settings.batchSize", equalTo(500))
                .body("settings.rules", hasKey("deadline"))
                .body("settings.rules", hasKey("queue-timeout"))
                .body("settings.rules", hasKey("stale-heartbeat"))
                .body("brake.ratio", equalTo(0.5f))
                .body("brake.min", equalTo(20))
                .body("brake.maxHold", equalTo("PT10M"))
                .body("brake.holding", equalTo(false))
                .body("reports", hasSize(0));
    }

    @Test
    void sweepsOnDemandAndReports() {
        // given one for each verdict of time, and one that is fine
        TestDelegation late = direct().register();
        TestSql.deadlineHasCome(late.id());
        TestDelegation silent = direct().register().begun();
        TestSql.silence(silent.id());
        TestDelegation requeued = direct().with("recovery", "requeue").register();
        requeued.beat("epoch", 1);
        TestSql.silence(requeued.id());
        TestDelegation waited = queued().with("queueTimeout", "PT1M").register();
        TestSql.age(waited.id(), Duration.ofMinutes(2));
        TestDelegation fine = direct().register().begun();
        TestSql.beatsAreAccepted();

        // when
        JsonPath report = TestApi.sweep();

        // then
        assertEquals(
                Map.of("completed", 0, "failed", 2, "cancelled", 0, "stuck", 1, "requeued", 1, "reclaimed", 0),
                report.getMap("verdicts"));
        assertEquals(0, report.getInt("errors"));
        assertEquals(0, report.getInt("conflicts"));
        assertEquals(0, report.getInt("heldBack"));
        assertEquals("operator", report.getString("origin"));
        assertFalse(report.getString("replica").isEmpty());
        assertFalse(Duration.parse(report.getString("duration")).isNegative());
        assertTrue(time(report, "startedAt").isAfter(time(late.read(), "createdAt")));
        assertEquals("failed", late.status());
        assertEquals("stuck", silent.status());
        assertEquals("queued", requeued.status());
        assertEquals("queue_timeout", waited.read().getString("reason"));
        assertEquals("in_progress", fine.status());
        // and the report is kept as it was answered
        assertEquals(report.getMap(""), TestApi.get("/v1/sweeper").jsonPath().getMap("reports[0]"));
    }

    @Test
    void findsNothingToDoTheSecondTime() {
        TestDelegation silent = direct().register().begun().stuck();
        String before = silent.get().asString();

        TestSql.beatsAreAccepted();
        JsonPath report = TestApi.sweep();

        assertEquals(Set.of(0), Set.copyOf(report.getMap("verdicts").values()));
        assertEquals(before, silent.get().asString());
    }

    @Test
    void aDryRunSaysWhatWouldHappenAndChangesNothing() {
        // given
        TestDelegation late = direct().register();
        TestSql.deadlineHasCome(late.id());
        TestDelegation silent = direct().register().begun();
        TestSql.silence(silent.id());
        TestSql.beatsAreAccepted();
        String lateBefore = late.get().asString();
        String silentBefore = silent.get().asString();

        // when
        JsonPath report = TestApi.sweep("dryRun", true);

        // then
        assertEquals(1, report.getInt("verdicts.failed"));
        assertEquals(1, report.getInt("verdicts.stuck"));
        assertTrue(report.getBoolean("dryRun"));
        assertEquals(lateBefore, late.get().asString());
        assertEquals(silentBefore, silent.get().asString());
        assertEquals(1, late.events().size());
        assertEquals(2, silent.events().size());
    }

    @Test
    void needsNoBody() {
        given().post("/v1/sweeper/sweep").then().statusCode(200);
        given().post("/v1/sweeper/pause").then().statusCode(200).body("paused", equalTo(true));
        given().post("/v1/sweeper/resume").then().statusCode(200).body("paused", equalTo(false));
    }

    @Test
    void sweepsForAnOperatorEvenWhilePaused() {
        // given
        TestDelegation late = direct().register();
        TestSql.deadlineHasCome(late.id());
        TestApi.post("/v1/sweeper/pause").then().statusCode(200).body("paused", equalTo(true));
        TestApi.get("/v1/sweeper").then().body("paused", equalTo(true));

        // when
        TestApi.sweep();

        // then
        assertEquals("failed", late.status());
        TestApi.get("/v1/sweeper").then().body("paused", equalTo(true));
        TestApi.post("/v1/sweeper/resume").then().statusCode(200).body("paused", equalTo(false));
        TestApi.get("/v1/sweeper").then().body("paused", equalTo(false));
    }

    @Test
    void leavesSilenceAloneWhileBeatsAreNotAcceptedButNotDeadlines() {
        // given nobody has noted for a minute that beats are accepted
        TestDelegation late = direct().register();
        TestSql.deadlineHasCome(late.id());
        TestDelegation silent = direct().register().begun();
        TestSql.silence(silent.id());
        TestSql.execute("update beat_acceptance set noted_at = now() - interval '1 minute'");

        // when
        JsonPath report = TestApi.sweep();

        // then
        assertEquals("failed", late.status());
        assertEquals("in_progress", silent.status());
        assertEquals(1, report.getInt("heldBack"));
    }

    @Test
    void showsReportsNewestFirst() {
        TestApi.sweep("dryRun", true);
        TestApi.sweep("force", true);
        TestApi.sweep();

        TestApi.get("/v1/sweeper")
                .then()
                .body("reports", hasSize(3))
                .body("reports.dryRun", contains(false, false, true))
                .body("reports.forced", contains(false, true, false))
                .body("reports[0].verdicts", notNullValue());
        TestApi.get("/v1/sweeper", "limit", 1).then().body("reports", hasSize(1));
        expectProblem(TestApi.get("/v1/sweeper", "limit", 0), 400, "invalid-request");
        expectProblem(TestApi.get("/v1/sweeper", "limit", 1_001), 400, "invalid-request");
    }

    @Test
    void keepsTheLastThousandReports() {
        TestSql.execute("""
                insert into sweep (started_at, duration_us, replica, origin, dry_run, forced, braked, verdicts, conflicts,
                                   errors, held_back)
                select now() - interval '1 day', 1, 'old-' || n, 'tick', false, false, false, '{}', 0, 0, 0
                from generate_series(1, 1005) n
                """);

        TestApi.sweep();

        assertEquals(1_000, TestSql.count("select count(*) from sweep"));
        List<String> replicas =
                TestApi.get("/v1/sweeper", "limit", 1_000).jsonPath().getList("reports.replica");
        assertEquals(1_000, replicas.size());
        assertFalse(replicas.get(0).startsWith("old-"));
        assertEquals("old-1005", replicas.get(1));
        assertEquals("old-7", replicas.get(999));
    }

    @Test
    void refusesWhatIsNoOrder() {
        expectProblem(TestApi.post("/v1/sweeper/sweep", "dryrun", true), 400, "invalid-request");
        expectProblem(TestApi.post("/v1/sweeper/sweep", "dryRun", "yes"), 400, "invalid-request");
        expectProblem(TestApi.get("/v1/sweeper", "colour", "red"), 400, "invalid-request");
    }
}
