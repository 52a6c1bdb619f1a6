package io.rollcall.http.api;

import static io.rollcall.testing.TestApi.body;
import static io.rollcall.testing.TestApi.direct;
import static io.rollcall.testing.TestApi.expectProblem;
import static io.rollcall.testing.TestApi.time;
import static io.rollcall.testing.TestApi.unique;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.everyItem;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quarkus.test.junit.QuarkusTest;
import io.restassured.path.json.JsonPath;
import io.restassured.response.Response;
import io.rollcall.testing.TestApi;
import io.rollcall.testing.TestDelegation;
import io.rollcall.testing.TestSql;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Many beats in one request: each is answered for itself, in order. */
@QuarkusTest
class BulkHeartbeatTest {
    @Test
    void answersEachForItselfInOrder() {
        // given
        TestDelegation begun = direct().register().begun();
        TestDelegation fresh = direct().register();
        TestDelegation stuck = direct().register().begun().stuck();
        TestDelegation done = direct().register().begun().closed("completed");
        TestDelegation oneOfMany = direct().with("recovery", "requeue").register();
        UUID nobody = UUID.randomUUID();

        // when
        Response answer = send(Arrays.asList(
                beat(begun, "epoch", 1, "progress", 0.5),
                beat(begun, "epoch", 7),
                beat(fresh),
                beat(stuck),
                beat(done),
                body("id", nobody.toString(), "epoch", 1),
                beat(begun, "progress", 2),
                body("epoch", 1),
                body("id", "seven"),
                beat(begun, "colour", "red"),
                "nonsense",
                42,
                List.of(),
                beat(oneOfMany),
                beat(oneOfMany, "epoch", 1)));

        // then
        answer.then()
                .statusCode(200)
                .body(
                        "items.result",
                        contains(
                                "renewed",
                                "lease_lost",
                                "renewed",
                                "renewed",
                                "lease_lost",
                                "not_found",
                                "invalid",
                                "invalid",
                                "invalid",
                                "invalid",
                                "invalid",
                                "invalid",
                                "invalid",
                                "invalid",
                                "renewed"))
                .body("items[0].id", equalTo(begun.id().toString()))
                .body("items[0].status", equalTo("in_progress"))
                .body("items[0].directive", equalTo("continue"))
                .body("items[1].status", equalTo("in_progress"))
                .body("items[1].staleAt", nullValue())
                .body("items[2].status", equalTo("in_progress"))
                .body("items[3].status", equalTo("stuck"))
                .body("items[4].status", equalTo("completed"))
                .body("items[5].id", equalTo(nobody.toString()))
                .body("items[5].status", nullValue())
                .body("items[6].id", equalTo(begun.id().toString()));
        assertEquals(time(begun.read(), "lease.staleAt"), time(answer.jsonPath(), "items[0].staleAt"));
        assertEquals(0.5, begun.read().getDouble("lease.progress"));
        assertEquals("in_progress", fresh.status());
        assertEquals("in_progress", oneOfMany.status());
    }

    @Test
    void aNullAmongTheItemsSpoilsNoOther() {
        TestDelegation work = direct().register();

        send(Arrays.asList(null, beat(work)))
                .then()
                .statusCode(200)
                .body("items.result", contains("invalid", "renewed"));
    }

    @Test
    void takesTheSameLeaseTwice() {
        TestDelegation begun = direct().register().begun();
        TestDelegation fresh = direct().register();

        send(List.of(
                        beat(begun, "note", "first"),
                        beat(fresh),
                        beat(begun, "progress", 0.75),
                        beat(fresh),
                        beat(begun, "note", "last", "epoch", 1)))
                .then()
                .statusCode(200)
                .body("items.result", everyItem(equalTo("renewed")));

        JsonPath lease = begun.read();
        assertEquals(0.75, lease.getDouble("lease.progress"));
        assertEquals("in_progress", fresh.status());
        assertEquals(1, fresh.events("transition").size());
    }

    @Test
    void aBeatUnderALostEpochDoesNotSpoilTheOneUnderTheRightOne() {
        TestDelegation work = direct().register().begun();

        send(List.of(beat(work, "epoch", 2, "note", "stranger"), beat(work, "epoch", 1, "note", "holder")))
                .then()
                .statusCode(200)
                .body("items.result", contains("lease_lost", "renewed"));

        assertEquals("holder", work.read().getString("lease.note"));
    }

    @Test
    void takesFiveThousandAndNotOneMore() {
        // given
        List<UUID> ids = register(500);
        send(items(ids, 500)).then().body("items.result", everyItem(equalTo("renewed")));

        // then
        send(items(ids, 5_000))
                .then()
                .statusCode(200)
                .body("items", hasSize(5_000))
                .body("items.result", everyItem(equalTo("renewed")));
        expectProblem(send(items(ids, 5_001)), 400, "invalid-request");
    }

    @Test
    void beginsAThousandAtOnce() {
        List<UUID> ids = register(1_000);

        Response answer = send(items(ids, 1_000));

        answer.then().statusCode(200).body("items.result", everyItem(equalTo("renewed")));
        assertEquals(
                ids.stream().map(UUID::toString).toList(), answer.jsonPath().getList("items.id"));
        assertEquals(
                List.of("in_progress"),
                ids.stream()
                        .limit(20)
                        .map(id -> TestApi.delegation(id).status())
                        .distinct()
                        .toList());
    }

    @Test
    void aLeaseThatStaysLockedHoldsUpNoOther() {
        List<UUID> ids = register(20);
        send(items(ids, 20)).then().statusCode(200).body("items.result", everyItem(equalTo("renewed")));
        try (TestSql.Held held = TestSql.holdLease(ids.get(7))) {
            long startedNanos = System.nanoTime();
            List<String> results = send(items(ids, 20)).jsonPath().getList("items.result");
            assertEquals("unavailable", results.get(7));
            assertEquals(19, results.stream().filter("renewed"::equals).count());
            assertTrue(System.nanoTime() - startedNanos < 5_500_000_000L, "answered within five seconds");
        }
    }

    @Test
    void answersNothingForNothing() {
        send(List.of()).then().statusCode(200).body("items", hasSize(0));
        expectProblem(TestApi.post("/v1/heartbeats"), 400, "invalid-request");
    }

    private static List<UUID> register(int rows) {
        String caller = unique("caller");
        List<Map<String, Object>> items = IntStream.range(0, rows)
                .mapToObj(i -> direct().with("caller", caller).body())
                .toList();
        return TestApi.ids(TestApi.post("/v1/delegations/batch", "items", items)
                .then()
                .statusCode(201)
                .extract()
                .jsonPath());
    }

    private static List<Map<String, Object>> items(List<UUID> ids, int beats) {
        return IntStream.range(0, beats)
                .mapToObj(i -> body("id", ids.get(i % ids.size()).toString()))
                .toList();
    }

    private static Map<String, Object> beat(TestDelegation work, Object... namesAndValues) {
        Map<String, Object> beat = body("id", work.id().toString());
        beat.putAll(body(namesAndValues));
        return beat;
    }

    private static Response send(List<?> items) {
        return TestApi.post("/v1/heartbeats", "items", items);
    }
}
