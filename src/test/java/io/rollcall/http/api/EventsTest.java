package io.rollcall.http.api;

import static io.rollcall.testing.TestApi.direct;
import static io.rollcall.testing.TestApi.expectProblem;
import static io.rollcall.testing.TestApi.queued;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quarkus.test.junit.QuarkusTest;
import io.restassured.path.json.JsonPath;
import io.restassured.response.Response;
import io.rollcall.testing.TestApi;
import io.rollcall.testing.TestDelegation;
import io.rollcall.testing.TestSql;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The history: what happened, in order, by whom, and what it was judged by. */
@QuarkusTest
class EventsTest {
    @Test
    void tellWhatHappenedInOrder() {
        TestApi.Draft draft = direct();
        TestDelegation work = draft.register().begun();
        work.edit("priority", 9);
        work.stuck();
        work.report("completed", "epoch", 1);
        work.report("failed", "epoch", 1);
        String agent = "agent:" + draft.get("agent");

        List<Map<String, Object>> events = work.events();

        assertEquals(
                List.of(
                        "1 registered null>dispatched by caller:" + draft.get("caller"),
                        "2 transition dispatched>in_progress by " + agent,
                        "3 operator null>null by operator",
                        "4 transition in_progress>stuck by sweeper",
                        "5 transition stuck>completed by " + agent,
                        "6 late_report null>null by " + agent),
                events.stream().map(EventsTest::inOneLine).toList());
        List<Instant> times = events.stream()
                .map(event -> Instant.parse((String) event.get("at")))
                .toList();
        assertEquals(times.stream().sorted().toList(), times);
    }

    private static String inOneLine(Map<String, Object> event) {
        return "%s %s %s>%s by %s"
                .formatted(event.get("seq"), event.get("kind"), event.get("from"), event.get("to"), event.get("actor"));
    }

    @Test
    void sayByWhichRuleTheSweeperActedAndByWhatItJudged() {
        // given
        TestDelegation work =
                direct().with("heartbeatTimeout", "PT2M").register().begun();
        work.beat("progress", 0.5, "note", "half way").then().statusCode(200);

        // when
        work.stuck();

        // then
        Map<String, Object> event = work.events("transition").get(1);
        assertEquals("stale-heartbeat", event.get("rule"));
        assertEquals("heartbeat_stale", event.get("reason"));
        assertEquals("heartbeat_stale", event.get("cause"));
        assertEquals(1, event.get("epoch"));
        Map<?, ?> data = (Map<?, ?>) event.get("data");
        assertEquals("PT2M", data.get("leaseTime"));
        Instant last = Instant.parse((String) data.get("lastHeartbeatAt"));
        Instant staleAt = Instant.parse((String) data.get("staleAt"));
        Instant now = Instant.parse((String) data.get("now"));
        assertEquals(last.plus(Duration.ofMinutes(2)), staleAt);
        assertTrue(now.isAfter(staleAt));
        assertEquals(now, Instant.parse((String) event.get("at")));
    }

    @Test
    void sayThatTheDeadlineEndedIt() {
        TestDelegation work = queued().register();
        TestSql.deadlineHasCome(work.id());

        TestApi.sweep();

        JsonPath read = work.read();
        assertEquals("failed", read.getString("status"));
        assertEquals("deadline_exceeded", read.getString("reason"));
        assertEquals("deadline exceeded by sweeper", read.getString("error.message"));
        Map<String, Object> event = work.events("transition").get(0);
        assertEquals("deadline", event.get("rule"));
        assertEquals("queued", event.get("from"));
        assertNull(event.get("epoch"));
        assertEquals(read.getString("deadlineAt"), ((Map<?, ?>) event.get("data")).get("deadlineAt"));
    }

    @Test
    void leaveOutWhatDoesNotApply() {
        Map<String, Object> registered = queued().register().events().get(0);

        for (String absent : List.of("from", "reason", "cause", "epoch", "rule", "data")) {
            assertFalse(registered.containsKey(absent), absent);
        }
    }

    @Test
    void comeInPages() {
        // given
        TestDelegation work = direct().register();
        for (int i = 0; i < 6; i++) {
            work.edit("priority", i).then().statusCode(200);
        }

        // when
        List<Integer> seqs = new ArrayList<>();
        String cursor = null;
        do {
            Response page = cursor == null ? events(work, "limit", 3) : events(work, "limit", 3, "cursor", cursor);
            seqs.addAll(page.then().statusCode(200).extract().jsonPath().getList("items.seq"));
            cursor = page.path("nextCursor");
        } while (cursor != null);

        // then
        assertEquals(List.of(1, 2, 3, 4, 5, 6, 7), seqs);
        events(work, "limit", 7).then().body("items", hasSize(7)).body("nextCursor", nullValue());
        events(work, "limit", 1).then().body("items.seq", contains(1));
    }

    @Test
    void comeByFiftyUnlessAskedForMore() {
        TestDelegation work = direct().register();
        TestSql.execute("""
                insert into delegation_event (delegation_id, seq, at, kind, actor)
                select id, 1 + n, now(), 'operator', 'operator' from delegation, generate_series(1, 500) n where id = ?
                """, work.id());

        events(work).then().body("items", hasSize(50));
        events(work, "limit", 500).then().body("items", hasSize(500));
    }

    @ParameterizedTest
    @CsvSource({"limit,0", "limit,501", "limit,x", "cursor,x", "cursor,-1", "cursor,1.5", "sort,seq"})
    void refuseWhatIsNoQuery(String name, String value) {
        Response answer = events(direct().register(), name, value);

        expectProblem(answer, 400, name.equals("cursor") ? "invalid-cursor" : "invalid-request");
    }

    private static Response events(TestDelegation work, Object... query) {
        return TestApi.get("/v1/delegations/" + work.id() + "/events", query);
    }
}
