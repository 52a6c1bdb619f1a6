package io.rollcall.redrive;

import static io.rollcall.testing.TestApi.expectProblem;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import io.restassured.path.json.JsonPath;
import io.rollcall.testing.TestApi;
import io.rollcall.testing.TestDelegation;
import io.rollcall.testing.TestParallel;
import io.rollcall.testing.TestSql;
import jakarta.inject.Inject;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.hamcrest.Matchers;
import org.junit.jupiter.api.Test;

/** Retries in bulk. */
@QuarkusTest
class RedriveTest {
    @Inject
    Redrives redrives;

    @Test
    void aDryRunCountsAndShowsASampleAndChangesNothing() {
        String queue = failedIn(30);
        JsonPath preview = begin("filter", Map.of("queue", queue, "deadLetter", false), "dryRun", true, 200);
        assertEquals(30, preview.getInt("matched"));
        assertEquals(20, preview.getList("sample").size());
        assertEquals(0, successors(queue));
    }

    @Test
    void allThatMatchAreRetriedOnceHoweverManyReplicasWorkAtIt() {
        String queue = failedIn(60);
        TestDelegation retriedBefore =
                new TestDelegation(TestApi.listIds("queue", queue).get(0));
        retriedBefore.retry().then().statusCode(201);
        TestDelegation open = TestApi.queued().with("queue", queue).register();
        JsonPath begun = begin("filter", Map.of("queue", queue), "perSecond", 1000, 202);
        assertEquals(59, begun.getInt("matched"), "neither what has a successor nor what is open");
        TestDelegation meanwhile = new TestDelegation(TestApi.listIds("queue", queue, "status", "failed", "limit", 500)
                .get(30));
        meanwhile.retry();
        while (state(begun).equals("running")) {
            TestParallel.times(3, replica -> {
                redrives.workOneSecond();
                return true;
            });
        }
        JsonPath done = TestApi.get("/v1/redrives/" + begun.getString("id")).jsonPath();
        assertEquals("done", done.getString("state"));
        assertEquals(0, done.getInt("waiting"));
        assertEquals(59, done.getInt("retried") + done.getInt("skipped"));
        assertEquals(60, successors(queue));
        assertEquals("queued", open.status());
        String audit = retriedOnes(queue).get(0).events("operator").get(0).toString();
        assertTrue(audit.contains("successor"), audit);
    }

    @Test
    void namedOnesAreRetriedAndTheRestSkipped() {
        String queue = failedIn(3);
        List<String> ids =
                TestApi.listIds("queue", queue).stream().map(Object::toString).toList();
        JsonPath begun = begin("ids", ids, "note", "the disk was full", 202);
        finish(begun);
        assertEquals(3, successors(queue));
        expectProblem(TestApi.post("/v1/redrives"), 400, "invalid-request");
        expectProblem(TestApi.post("/v1/redrives", "ids", ids, "filter", Map.of()), 400, "invalid-request");
    }

    @Test
    void aRateIsKeptAndACancelledOneStops() {
        String queue = failedIn(10);
        JsonPath begun = begin("filter", Map.of("queue", queue), "perSecond", 3, 202);
        redrives.workOneSecond();
        assertEquals(3, successors(queue));
        RestAssured.delete("/v1/redrives/" + begun.getString("id"))
                .then()
                .statusCode(200)
                .body("state", Matchers.equalTo("cancelled"));
        redrives.workOneSecond();
        assertEquals(3, successors(queue));
        RestAssured.delete("/v1/redrives/" + begun.getString("id")).then().statusCode(200);
        expectProblem(TestApi.get("/v1/redrives/0190163d-8694-739b-aea5-966c26f8ad91"), 404, "not-found");
    }

    private JsonPath begin(Object... bodyThenStatus) {
        Object[] body = java.util.Arrays.copyOf(bodyThenStatus, bodyThenStatus.length - 1);
        return TestApi.post("/v1/redrives", body)
                .then()
                .statusCode((Integer) bodyThenStatus[bodyThenStatus.length - 1])
                .extract()
                .jsonPath();
    }

    private void finish(JsonPath begun) {
        while (state(begun).equals("running")) {
            redrives.workOneSecond();
        }
    }

    private static String state(JsonPath begun) {
        return TestApi.get("/v1/redrives/" + begun.getString("id")).jsonPath().getString("state");
    }

    private static String failedIn(int count) {
        String queue = TestApi.unique("queue");
        List<Map<String, Object>> items = IntStream.range(0, count)
                .mapToObj(i -> TestApi.queued().with("queue", queue).body())
                .toList();
        TestApi.post("/v1/delegations/batch", "items", items).then().statusCode(201);
        TestApi.ids(TestApi.list("queue", queue, "limit", 500)).forEach(id -> new TestDelegation(id).closed("failed"));
        return queue;
    }

    private static long successors(String queue) {
        return TestSql.count("select count(*) from delegation where queue = ? and retry_of is not null", queue);
    }

    private static List<TestDelegation> retriedOnes(String queue) {
        return TestApi.listIds("queue", queue, "status", "failed", "limit", 500).stream()
                .map(TestDelegation::new)
                .toList();
    }
}
