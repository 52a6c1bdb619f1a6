package io.rollcall.http.api;

import static io.rollcall.testing.TestApi.direct;
import static io.rollcall.testing.TestApi.expectProblem;
import static io.rollcall.testing.TestApi.queued;
import static io.rollcall.testing.TestApi.unique;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsInAnyOrder;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItem;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import io.rollcall.testing.TestApi;
import io.rollcall.testing.TestDelegation;
import io.rollcall.testing.TestParallel;
import io.rollcall.testing.TestSql;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Registering many: all or none. */
@QuarkusTest
class BatchTest {
    private final String caller = unique("caller");

    @Test
    void registersAllInTheirOrder() {
        Response answer = send(List.of(item("task", "one"), item("task", "two"), item("task", "three")));

        answer.then()
                .statusCode(201)
                .body("items.task", contains("one", "two", "three"))
                .body("items.status", contains("dispatched", "dispatched", "dispatched"))
                .body("items.lease.epoch", contains(1, 1, 1));
        assertEquals(3, rows());
        for (UUID id : TestApi.ids(answer.jsonPath())) {
            assertEquals(1, TestApi.delegation(id).events().size());
        }
    }

    @Test
    void takesAThousandAndNotOneMore() {
        send(Collections.nCopies(1_000, item())).then().statusCode(201);
        assertEquals(1_000, rows());

        expectProblem(send(Collections.nCopies(1_001, item())), 400, "invalid-request");
        expectProblem(send(List.of()), 400, "invalid-request");
        assertEquals(1_000, rows());
    }

    @Test
    void createsNothingWhereOneItemIsWrongAndNamesItsIndex() {
        Response answer = send(List.of(item(), item("priority", 12), item(), item("task", "")));

        expectProblem(answer, 400, "invalid-request")
                .body("violations.field", containsInAnyOrder("items[1].priority", "items[3].task"))
                .body("violations.index", containsInAnyOrder(1, 3));
        assertEquals(0, rows());
    }

    @Test
    void namesTheIndexOfWhateverIsWrong() {
        Map<String, Object> unknownField = item("colour", "red");
        Map<String, Object> past =
                item("deadlineAt", Instant.now().minusSeconds(60).toString());
        Map<String, Object> tooLarge = item("payload", "p".repeat(256 * 1024));
        Map<String, Object> wrongType = item("priority", "high");
        for (Map<String, Object> wrong : Arrays.asList(unknownField, past, tooLarge, wrongType, null)) {
            expectProblem(send(Arrays.asList(item(), item(), wrong)), 400, "invalid-request")
                    .body("violations.index", hasItem(2));
        }
        assertEquals(0, rows());
    }

    @Test
    void answersKnownOnesAsTheyAreBesideNewOnes() {
        // given
        Map<String, Object> known = item("id", UUID.randomUUID());
        TestDelegation first = TestApi.ids(send(List.of(known)).jsonPath()).stream()
                .map(TestApi::delegation)
                .findFirst()
                .orElseThrow();
        first.begun().report("completed").then().statusCode(200);

        // when
        Response answer = send(List.of(item("task", "new"), known));

        // then
        answer.then()
                .statusCode(201)
                .body("items.status", contains("dispatched", "completed"))
                .body("items[1].id", equalTo(first.id().toString()));
        assertEquals(2, rows());
    }

    @Test
    void createsNothingWhereAKnownIdComesWithAnotherBody() {
        Map<String, Object> known = item("id", UUID.randomUUID());
        send(List.of(known)).then().statusCode(201);
        Map<String, Object> other = item("id", known.get("id"), "priority", 1);

        expectProblem(send(List.of(item(), other)), 422, "idempotency-mismatch").body("violations.index", contains(1));

        assertEquals(1, rows());
    }

    @Test
    void refusesAnIdThatStandsTwice() {
        UUID id = UUID.randomUUID();

        expectProblem(send(List.of(item("id", id), item(), item("id", id))), 400, "invalid-request")
                .body("violations.index", contains(2));

        assertEquals(0, rows());
    }

    @Test
    void insertsInTheDatabasesOrderOfIdsWhateverOrderTheyCameIn() throws Exception {
        // given the ids from both halves of the space, which Java orders the other way round
        List<UUID> ids = Stream.of("0", "3", "7", "8", "b", "f")
                .map(first ->
                        UUID.fromString(first + UUID.randomUUID().toString().substring(1)))
                .toList();
        UUID template = queued().with("caller", unique("template")).register().id();
        List<UUID> backwards = new ArrayList<>(ids);
        Collections.reverse(backwards);
        Future<Response> one;
        Future<Response> other;

        // when both wait for the lowest of them
        try (TestSql.Held lowest = copyOf(template, ids.get(0))) {
            one = TestParallel.begin(() -> send(itemsWith(ids)));
            other = TestParallel.begin(() -> send(itemsWith(backwards)));
            lowest.awaitBlocked(2);

            // then neither has inserted any other
            for (UUID id : ids.subList(1, ids.size())) {
                copyOf(template, id).close();
            }
        }
        // and once it is free, each gets all
        assertEquals(ids, TestApi.ids(one.get().then().statusCode(201).extract().jsonPath()));
        assertEquals(
                backwards,
                TestApi.ids(other.get().then().statusCode(201).extract().jsonPath()));
        assertEquals(ids.size(), rows());
    }

    @Test
    void registersTheSameIdsInOppositeOrdersAtOnce() {
        for (int round = 0; round < 3; round++) {
            List<UUID> ids =
                    IntStream.range(0, 100).mapToObj(i -> UUID.randomUUID()).toList();
            List<UUID> backwards = new ArrayList<>(ids);
            Collections.reverse(backwards);

            List<Response> answers = TestParallel.times(4, i -> send(itemsWith(i % 2 == 0 ? ids : backwards)));

            for (int i = 0; i < answers.size(); i++) {
                assertEquals(201, answers.get(i).statusCode(), answers.get(i).asString());
                assertEquals(
                        i % 2 == 0 ? ids : backwards, TestApi.ids(answers.get(i).jsonPath()));
            }
        }
        assertEquals(300, rows());
    }

    /** Inserts a row with that id in a transaction of its own, and fails if somebody else holds the id. */
    private static TestSql.Held copyOf(UUID template, UUID id) {
        return new TestSql.Held("set local lock_timeout = '2s'").execute("""
                insert into delegation
                select (jsonb_populate_record(d, jsonb_build_object('id', cast(? as text)))).*
                from delegation d where id = ?
                """, id.toString(), template);
    }

    private List<Map<String, Object>> itemsWith(List<UUID> ids) {
        return ids.stream().map(id -> item("id", id)).toList();
    }

    private Map<String, Object> item(Object... namesAndValues) {
        Map<String, Object> item =
                direct().with("caller", caller).with("agent", "agent").body();
        item.putAll(TestApi.body(namesAndValues));
        return item;
    }

    private static Response send(List<Map<String, Object>> items) {
        return TestApi.post("/v1/delegations/batch", "items", items);
    }

    private long rows() {
        return TestSql.count("select count(*) from delegation where caller = ?", caller);
    }
}
