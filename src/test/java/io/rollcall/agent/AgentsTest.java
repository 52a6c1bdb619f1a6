package io.rollcall.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quarkus.test.junit.QuarkusTest;
import io.restassured.path.json.JsonPath;
import io.rollcall.testing.TestApi;
import io.rollcall.testing.TestDelegation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.hamcrest.Matchers;
import org.junit.jupiter.api.Test;

/** Who holds what, and taking it away. */
@QuarkusTest
class AgentsTest {
    @Test
    void allThatAnAgentClaimedGoesBackButNotWhatWasHandedStraightToIt() {
        String agent = TestApi.unique("agent");
        String queue = TestApi.unique("queue");
        List<TestDelegation> claimed = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            claimed.add(TestApi.queued().with("queue", queue).register());
        }
        TestApi.claim(queue, agent, "max", 3);
        claimed.get(0).beat("epoch", 1).then().statusCode(200);
        TestDelegation direct = TestApi.direct().with("agent", agent).register().begun();

        Map<String, Object> holdings = holdings(agent);
        assertEquals(4, holdings.get("inFlight"));
        assertEquals(4, ((List<?>) holdings.get("holds")).size());

        TestApi.post("/v1/agents/" + agent + "/release", "note", "its machine is gone")
                .then()
                .statusCode(200)
                .body("released", Matchers.equalTo(3));
        for (TestDelegation work : claimed) {
            assertEquals("queued", work.status());
            assertEquals(0, work.read().getInt("requeueCount"));
            work.beat("epoch", 1).then().statusCode(409);
            Map<String, Object> last = work.events().get(work.events().size() - 1);
            assertEquals("operator", last.get("actor"));
            assertTrue(last.get("data").toString().contains("its machine is gone"));
        }
        assertEquals("in_progress", direct.status());
        assertEquals(1, holdings(agent).get("inFlight"));
        assertEquals(3, TestApi.ids(TestApi.claim(queue, "other", "max", 5)).size());
    }

    @Test
    void agentsArePagedByName() {
        String prefix = TestApi.unique("page");
        for (int i = 0; i < 5; i++) {
            TestApi.direct().with("agent", prefix + "-" + i).register();
        }
        List<String> names = new ArrayList<>();
        String cursor = prefix;
        while (cursor != null) {
            JsonPath page =
                    TestApi.get("/v1/agents", "limit", 2, "cursor", cursor).jsonPath();
            names.addAll(page.getList("items.agent"));
            cursor = page.getString("nextCursor");
        }
        assertEquals(
                5,
                names.stream()
                        .filter(name -> name.startsWith(prefix))
                        .distinct()
                        .count());
        assertEquals(names.stream().distinct().count(), names.size());
    }

    private static Map<String, Object> holdings(String agent) {
        JsonPath page = TestApi.get("/v1/agents", "limit", 500)
                .then()
                .statusCode(200)
                .extract()
                .jsonPath();
        List<Map<String, Object>> items = page.getList("items");
        return items.stream()
                .filter(item -> agent.equals(item.get("agent")))
                .findFirst()
                .orElseThrow();
    }
}
