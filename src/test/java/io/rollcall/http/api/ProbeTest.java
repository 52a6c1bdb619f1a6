package io.rollcall.http.api;

import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItem;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.quarkus.test.junit.QuarkusTest;
import io.restassured.path.json.JsonPath;
import io.restassured.response.Response;
import io.rollcall.testing.TestApi;
import io.rollcall.testing.TestDelegation;
import io.rollcall.testing.TestSql;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How agents say where they can be found. */
@QuarkusTest
class ProbeTest {
    private static final Map<String, Object> PROCESS =
            Map.of("kind", "process", "bootId", "b", "pidNamespace", "pid:[1]", "pid", 7, "startTicks", 9);
    private static final Map<String, Object> POD =
            Map.of("kind", "kubernetes", "namespace", "agents", "pod", "agent-0.x", "uid", "u");

    @ParameterizedTest
    @CsvSource({"process", "kubernetes"})
    void eachKindIsKeptAsItCame(String kind) {
        Map<String, Object> probe = probe(kind);
        String queue = TestApi.unique("queue");
        TestDelegation work = TestApi.queued().with("queue", queue).register();

        TestApi.claim(queue, "a", "probe", probe);

        assertEquals(probe, keptProbe(work));
    }

    @ParameterizedTest
    @CsvSource({
        "process, bootId,",
        "process, pidNamespace, ''",
        "process, pid,",
        "process, pid, 0",
        "process, startTicks, -1",
        "kubernetes, namespace,",
        "kubernetes, namespace, a.b",
        "kubernetes, pod, ../secrets/x",
        "kubernetes, pod, Agent",
        "kubernetes, uid,",
        "process, agent, 1"
    })
    void whatIsNoProbeIsRefusedByItsField(String kind, String field, String value) {
        Map<String, Object> probe = probe(kind);
        if (value == null) {
            probe.remove(field);
        } else {
            probe.put(field, value.matches("-?\\d+") ? Integer.valueOf(value) : value);
        }
        TestApi.expectProblem(claim(probe), 400, "invalid-request").body("violations.field", hasItem("probe." + field));
    }

    @Test
    void aFirstBeatAndALaterOneSayWhereTheAgentIs() {
        TestDelegation work = TestApi.direct().register();

        work.beat("instance", "one", "probe", PROCESS).then().statusCode(200);
        assertEquals(PROCESS, keptProbe(work));
        assertEquals("one", kept(work, "instance"));

        work.beat("probe", POD).then().statusCode(200);
        assertEquals(POD, keptProbe(work));
        assertEquals("one", kept(work, "instance"));

        work.beat("instance", "two").then().statusCode(200);
        work.beat("note", "nothing else is new").then().statusCode(200);
        assertEquals(POD, keptProbe(work));
        assertEquals("two", kept(work, "instance"));
    }

    @Test
    void whatIsSaidAgainIsNotWrittenAgain() {
        TestDelegation work = TestApi.direct().register();
        work.beat("instance", "one", "probe", PROCESS).then().statusCode(200);
        String before = kept(work, "xmin");

        work.beat("instance", "one", "probe", PROCESS).then().statusCode(200);

        assertEquals(before, kept(work, "xmin"));
    }

    @Test
    void anotherAttemptKnowsNothingOfTheLastOnes() {
        String queue = TestApi.unique("queue");
        TestDelegation work = TestApi.queued().with("queue", queue).register();
        TestApi.claim(queue, "a", "instance", "one", "probe", PROCESS, "requestId", "r");
        work.report("queued", "epoch", 1).then().statusCode(200);
        TestApi.claim(queue, "b");

        work.beat("epoch", 2, "instance", "two").then().statusCode(200);
        work.beat("epoch", 1, "probe", POD).then().statusCode(409);

        assertEquals("b two 2", kept(work, "agent || ' ' || instance || ' ' || epoch"));
        assertNull(kept(work, "probe"));
        assertNull(kept(work, "request_id"));
    }

    @Test
    void aBadProbeSpoilsItsOwnBeatOnly() {
        TestDelegation first = TestApi.direct().register();
        TestDelegation second = TestApi.direct().register();
        Map<String, Object> bad = probe("process");
        bad.put("pid", Map.of("id", second.id().toString(), "epoch", "not a number"));
        Map<String, Object> unnamed = probe("kubernetes");
        unnamed.put("pod", "../secrets/x");

        Response answer = TestApi.post(
                "/v1/heartbeats",
                "items",
                List.of(
                        item(first, "probe", bad, "note", "after the probe"),
                        item(first, "probe", unnamed),
                        item(first, "probe", POD, "instance", "one"),
                        item(second, "probe", PROCESS)));

        assertEquals(
                List.of("invalid", "invalid", "renewed", "renewed"),
                answer.jsonPath().getList("items.result"));
        assertEquals(first.id().toString(), answer.jsonPath().getString("items[0].id"));
        assertEquals(POD, keptProbe(first));
        assertEquals(PROCESS, keptProbe(second));
    }

    @Test
    void beatsAreRefusedForABadProbeAsClaimsAre() {
        TestDelegation work = TestApi.direct().register();
        Map<String, Object> bad = probe("process");
        bad.put("pid", 0);

        TestApi.expectProblem(work.beat("probe", bad), 400, "invalid-request")
                .body("violations.field", hasItem("probe.pid"));

        assertEquals("dispatched", work.status());
    }

    private static Map<String, Object> item(TestDelegation work, Object... namesAndValues) {
        Map<String, Object> item = new LinkedHashMap<>();
        item.put("id", work.id());
        item.putAll(TestApi.body(namesAndValues));
        return item;
    }

    private static Map<String, Object> keptProbe(TestDelegation work) {
        return JsonPath.from(kept(work, "probe")).getMap("");
    }

    private static String kept(TestDelegation work, String column) {
        return TestSql.value(
                String.class, "select cast(" + column + " as text) from attempt where delegation_id = ?", work.id());
    }

    @Test
    void aKindThatIsNotKnownIsRefused() {
        Map<String, Object> probe = probe("process");
        probe.put("kind", "crystal-ball");
        TestApi.expectProblem(claim(probe), 400, "invalid-request")
                .body("violations[0].message", equalTo("must have a kind that is known here"));
        probe.remove("kind");
        TestApi.expectProblem(claim(probe), 400, "invalid-request");
        TestApi.expectProblem(claim("a string"), 400, "invalid-request");
    }

    @Test
    void theDescriptionNamesBothKinds() {
        var schema =
                TestApi.get("/q/openapi", "format", "json").then().extract().jsonPath();
        assertEquals(2, schema.getList("components.schemas.Probe.oneOf").size());
        assertEquals("kind", schema.getString("components.schemas.Probe.discriminator.propertyName"));
    }

    private static Response claim(Object probe) {
        return TestApi.post("/v1/queues/" + TestApi.unique("queue") + "/claim", "agent", "a", "probe", probe);
    }

    private static Map<String, Object> probe(String kind) {
        return new LinkedHashMap<>("process".equals(kind) ? PROCESS : POD);
    }
}
