package io.rollcall.http.api;

import static io.rollcall.testing.TestApi.body;
import static io.rollcall.testing.TestApi.claim;
import static io.rollcall.testing.TestApi.direct;
import static io.rollcall.testing.TestApi.expectProblem;
import static io.rollcall.testing.TestApi.unique;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItem;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.quarkus.test.junit.QuarkusTest;
import io.restassured.path.json.JsonPath;
import io.restassured.response.Response;
import io.rollcall.testing.GateServer;
import io.rollcall.testing.TestApi;
import io.rollcall.testing.TestDelegation;
import io.rollcall.testing.TestParallel;
import io.rollcall.testing.TestSql;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What is registered when a delegation completes: once, in that transaction, whoever completes it. */
@QuarkusTest
class FollowUpTest {
    @Test
    void areRegisteredWhenTheirParentCompletes() {
        // given one with two follow-ups: one to be claimed, one for an agent
        String queue = unique("queue");
        TestDelegation parent = direct().with(
                        "onCompleted",
                        List.of(
                                body(
                                        "queue",
                                        queue,
                                        "task",
                                        "deploy",
                                        "priority",
                                        7,
                                        "labels",
                                        body("team", "blue"),
                                        "payload",
                                        body("stage", "test"),
                                        "deadlineIn",
                                        "PT1H",
                                        "maxRunning",
                                        "PT10M",
                                        "maxRequeues",
                                        1),
                                body("agent", "herald", "task", "announce", "heartbeatTimeout", "PT2M")))
                .register();
        assertEquals(0, children(parent).size());

        // when it completes
        parent.report("completed", "epoch", 1).then().statusCode(200);

        // then they are there, as if their caller had registered them at that moment
        List<TestDelegation> children = children(parent);
        assertEquals(2, children.size());
        JsonPath deploy = children.get(0).read();
        Instant completedAt = Instant.parse(parent.read().getString("finishedAt"));
        assertEquals("queued", deploy.getString("status"));
        assertEquals(parent.id().toString(), deploy.getString("parentId"));
        assertEquals(parent.read().getString("caller"), deploy.getString("caller"));
        assertEquals(queue, deploy.getString("queue"));
        assertEquals(7, deploy.getInt("priority"));
        assertEquals("blue", deploy.getString("labels.team"));
        assertEquals(Map.of("stage", "test"), deploy.getMap("payload"));
        assertEquals("PT10M", deploy.getString("maxRunning"));
        assertEquals(1, deploy.getInt("maxRequeues"));
        assertEquals(completedAt, Instant.parse(deploy.getString("createdAt")));
        assertEquals(completedAt.plus(Duration.ofHours(1)), Instant.parse(deploy.getString("deadlineAt")));
        JsonPath announce = children.get(1).read();
        assertEquals("dispatched", announce.getString("status"));
        assertEquals("herald", announce.getString("lease.holder"));
        assertEquals("PT2M", announce.getString("lease.leaseTime"));
        assertEquals(5, announce.getInt("priority"));
        Map<String, Object> registered = children.get(0).events().get(0);
        assertEquals("registered", registered.get("kind"));
        assertEquals("caller:" + deploy.getString("caller"), registered.get("actor"));
        assertEquals(Map.of("parentId", parent.id().toString()), registered.get("data"));
    }

    @Test
    void wakeWhoWaitsForThem() throws Exception {
        String queue = unique("queue");
        TestDelegation parent = direct().with("onCompleted", List.of(body("queue", queue, "task", "deploy")))
                .register();
        Future<JsonPath> waiting = TestParallel.begin(() -> claim(queue, "patient", "waitS", 20));

        parent.report("completed", "epoch", 1).then().statusCode(200);

        assertEquals(parent.id().toString(), waiting.get(30, TimeUnit.SECONDS).getString("items[0].parentId"));
    }

    @Test
    void mayCarryTheResultOfTheirParent() {
        TestDelegation parent = direct().with(
                        "onCompleted",
                        List.of(
                                body("task", "a", "passResult", true, "payload", body("stage", "test")),
                                body("task", "b", "passResult", true),
                                body("task", "c", "payload", body("stage", "test"))))
                .register();

        parent.report("completed", "epoch", 1, "result", body("image", "4f2a", "size", 2))
                .then()
                .statusCode(200);

        List<TestDelegation> children = children(parent);
        assertEquals("4f2a", children.get(0).read().getString("payload.parentResult.image"));
        assertEquals("test", children.get(0).read().getString("payload.stage"));
        assertEquals(Map.of("image", "4f2a", "size", 2), children.get(1).read().getMap("payload.parentResult"));
        assertEquals(Map.of("stage", "test"), children.get(2).read().getMap("payload"));
    }

    @Test
    void carryNullWhereThereIsNoResult() {
        TestDelegation parent = direct().with("onCompleted", List.of(body("task", "a", "passResult", true)))
                .register()
                .closed("completed");

        assertEquals(
                Collections.singletonMap("parentResult", null),
                children(parent).get(0).read().getMap("payload"));
    }

    @Test
    void mayHaveFollowUpsOfTheirOwn() {
        TestDelegation parent = direct().with(
                        "onCompleted",
                        List.of(body(
                                "agent",
                                "one",
                                "task",
                                "second",
                                "passResult",
                                true,
                                "onCompleted",
                                List.of(body("agent", "two", "task", "third", "passResult", true)))))
                .register();
        parent.report("completed", "epoch", 1, "result", 1).then().statusCode(200);
        TestDelegation second = children(parent).get(0);

        second.report("completed", "epoch", 1, "result", 2).then().statusCode(200);

        TestDelegation third = children(second).get(0);
        assertEquals("third", third.read().getString("task"));
        assertEquals(2, third.read().getInt("payload.parentResult"));
        third.report("completed", "epoch", 1).then().statusCode(200);
        assertEquals(0, children(third).size());
    }

    @Test
    void anOperatorsCloseCompletesToo() {
        TestDelegation parent = simple().register().closed("completed");

        assertEquals(1, children(parent).size());
    }

    @Test
    void nothingFollowsWhatFailedOrWasCalledOff() {
        TestDelegation failed = simple().register();
        failed.report("failed", "epoch", 1).then().statusCode(200);
        TestDelegation calledOff = simple().register().begun();
        calledOff.cancel().then().statusCode(202);
        calledOff.report("completed", "epoch", 1).then().body("status", equalTo("cancelled"));
        TestDelegation requeued = simple().with("recovery", "requeue").register();
        requeued.report("failed", "epoch", 1, "error", body("class", "timeout"))
                .then()
                .body("status", equalTo("queued"));

        assertEquals(0, children(failed).size());
        assertEquals(0, children(calledOff).size());
        assertEquals(0, children(requeued).size());
    }

    @Test
    void theGateComesFirst() {
        try (GateServer gate = new GateServer().answers(500, "")) {
            TestDelegation parent =
                    simple().with("gate", body("url", gate.url())).register();
            parent.report("completed", "epoch", 1, "result", 1).then().statusCode(202);
            assertEquals(0, children(parent).size());

            gate.passes(true);
            TestSql.beatsAreAccepted();
            TestApi.sweep();
            TestApi.sweep();

            assertEquals(1, children(parent).size());
        }
    }

    @Test
    void theSameReportAgainAddsNothing() {
        TestDelegation parent = simple().register();
        for (int i = 0; i < 3; i++) {
            parent.report("completed", "epoch", 1).then().statusCode(200);
        }

        assertEquals(1, children(parent).size());
    }

    @Test
    void twoWhoCompleteItAtOneMomentAddOneSet() throws Exception {
        TestDelegation parent = simple().register().begun();
        Future<Integer> report;
        Future<Integer> close;
        try (TestSql.Held row = TestSql.holdDelegation(parent.id())) {
            report = TestParallel.begin(
                    () -> parent.report("completed", "epoch", 1).statusCode());
            close = TestParallel.begin(
                    () -> parent.report("completed", "note", "by hand").statusCode());
            row.awaitBlocked(2);
        }

        List<Integer> answers =
                new ArrayList<>(List.of(report.get(30, TimeUnit.SECONDS), close.get(30, TimeUnit.SECONDS)));

        Collections.sort(answers);
        assertEquals(List.of(200, 409), answers);
        assertEquals(1, children(parent).size());
    }

    @Test
    void theDatabaseKnowsEachFollowUpOnce() {
        TestDelegation parent = simple().register().closed("completed");
        UUID child = children(parent).get(0).id();

        assertThrows(IllegalStateException.class, () -> TestSql.execute("""
                        insert into delegation (id, version, status, caller, agent, task, priority, labels, recovery, epoch,
                            requeue_count, max_requeues, created_at, updated_at, deadline_at, due_at, parent_id, follow_up)
                        select gen_random_uuid(), 0, status, caller, agent, task, priority, labels, recovery, epoch,
                            requeue_count, max_requeues, created_at, updated_at, deadline_at, due_at, parent_id, follow_up
                        from delegation where id = ?
                        """, child));
    }

    @Test
    void aSuccessorHasTheSameFollowUps() {
        TestDelegation failed = simple().register();
        failed.report("failed", "epoch", 1).then().statusCode(200);
        TestDelegation successor =
                TestApi.delegation(UUID.fromString(failed.retry().path("id")));
        assertNull(successor.read().get("parentId"));

        successor.report("completed", "epoch", 1).then().statusCode(200);

        TestDelegation child = children(successor).get(0);
        child.report("failed", "epoch", 1).then().statusCode(200);
        child.retry()
                .then()
                .statusCode(201)
                .body("parentId", equalTo(successor.id().toString()));
    }

    @Test
    void inABatchEachHasItsOwn() {
        List<Map<String, Object>> items = List.of(simple().body(), simple().body());

        List<UUID> parents = TestApi.ids(TestApi.post("/v1/delegations/batch", "items", items)
                .then()
                .statusCode(201)
                .extract()
                .jsonPath());

        parents.forEach(id -> {
            TestDelegation parent = TestApi.delegation(id).closed("completed");
            assertEquals(1, children(parent).size());
        });
    }

    @Test
    void whatCouldNotBeRegisteredIsRefusedAtOnce() {
        refused(List.of(body("agent", "a")), "onCompleted[0].task");
        refused(List.of(body("task", "a", "agent", "no spaces")), "onCompleted[0].agent");
        refused(List.of(body("task", "a"), body("task", "b", "deadlineIn", "P31D")), "onCompleted[1].deadlineIn");
        refused(List.of(body("task", "a", "gate", body("url", "ftp://x/"))), "onCompleted[0].gate.url");
        refused(List.of(body("task", "a", "caller", "somebody")), "onCompleted[0].caller");
        refused(List.of(body("task", "a", "passResult", true, "payload", 7)), "onCompleted[0].payload");
        refused(
                List.of(body("task", "a", "passResult", true, "payload", body("parentResult", 7))),
                "onCompleted[0].payload");
        refused(List.of(body("task", "a", "payload", "x".repeat(256 * 1024))), "onCompleted[0].payload");
        refused(
                List.of(body("task", "a", "onCompleted", List.of(body("task", "b", "priority", 10)))),
                "onCompleted[0].onCompleted[0].priority");
        expectProblem(
                direct().with(
                                "onCompleted",
                                List.of(body(
                                        "task", "a", "id", UUID.randomUUID().toString())))
                        .post(),
                400,
                "invalid-request");
    }

    @Test
    void thereAreTwentyInAListFiveLevelsAndAHundredAltogether() {
        refused(Collections.nCopies(21, body("task", "a")), "onCompleted");
        with(Collections.nCopies(20, body("task", "a"))).then().statusCode(201);
        with(List.of(nested(5))).then().statusCode(201);
        refused(
                List.of(nested(6)),
                "onCompleted[0].onCompleted[0].onCompleted[0].onCompleted[0].onCompleted[0].onCompleted");
        List<Map<String, Object>> four = Collections.nCopies(4, body("task", "b"));
        with(Collections.nCopies(20, body("task", "a", "onCompleted", four)))
                .then()
                .statusCode(201);
        List<Map<String, Object>> five = Collections.nCopies(5, body("task", "b"));
        refused(Collections.nCopies(20, body("task", "a", "onCompleted", five)), "onCompleted");
    }

    @Test
    void aCallerMayNameItselfInThem() {
        TestApi.Draft draft = direct();

        draft.with("onCompleted", List.of(body("task", "a", "caller", draft.get("caller"))))
                .post()
                .then()
                .statusCode(201);
    }

    private static Map<String, Object> nested(int levels) {
        return levels == 1 ? body("task", "last") : body("task", "level", "onCompleted", List.of(nested(levels - 1)));
    }

    private static TestApi.Draft simple() {
        return direct().with("onCompleted", List.of(body("agent", "next", "task", "go on")));
    }

    private static Response with(List<Map<String, Object>> onCompleted) {
        return direct().with("onCompleted", onCompleted).post();
    }

    private static void refused(List<Map<String, Object>> onCompleted, String field) {
        expectProblem(with(onCompleted), 400, "invalid-request").body("violations.field", hasItem(field));
    }

    /** In their order. */
    private static List<TestDelegation> children(TestDelegation parent) {
        return TestSql.rows(
                        "select id from delegation where parent_id = ? and retry_of is null order by follow_up",
                        parent.id())
                .stream()
                .map(row -> new TestDelegation((UUID) row.get("id")))
                .toList();
    }
}
