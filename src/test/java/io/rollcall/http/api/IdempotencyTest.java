package io.rollcall.http.api;

import static io.rollcall.testing.TestApi.body;
import static io.rollcall.testing.TestApi.direct;
import static io.rollcall.testing.TestApi.expectProblem;
import static io.rollcall.testing.TestApi.queued;
import static io.rollcall.testing.TestApi.unique;
import static org.hamcrest.Matchers.endsWith;
import static org.hamcrest.Matchers.equalTo;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.quarkus.test.junit.QuarkusTest;
import io.restassured.http.ContentType;
import io.restassured.response.Response;
import io.rollcall.testing.TestApi;
import io.rollcall.testing.TestDelegation;
import io.rollcall.testing.TestParallel;
import io.rollcall.testing.TestSql;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Registering the same again: one row, one answer, whatever became of it and however many ask at once. */
@QuarkusTest
class IdempotencyTest {
    @Test
    void answersTheSameOneAgainForTheSameKeyAndBody() {
        TestApi.Draft draft = direct().key(unique("key"));
        String id = draft.post().then().statusCode(201).extract().path("id");

        Response again = draft.post();

        again.then().statusCode(200).body("id", equalTo(id)).header("Location", endsWith("/v1/delegations/" + id));
        assertEquals(1, rowsOf(draft));
    }

    @Test
    void answersTheSameOneAgainWhateverBecameOfIt() {
        // given
        TestApi.Draft draft = direct().key(unique("key")).with("payload", body("n", 1));
        TestDelegation registered = draft.register().begun();
        registered.report("completed", "result", body("sheep", 7)).then().statusCode(200);

        // when
        Response again = draft.post();

        // then
        again.then()
                .statusCode(200)
                .body("id", equalTo(registered.id().toString()))
                .body("status", equalTo("completed"))
                .body("result.sheep", equalTo(7))
                .body("payload.n", equalTo(1));
        assertEquals(1, rowsOf(draft));
    }

    @Test
    void refusesAnotherBodyUnderTheSameKeyAndLeavesTheFirstAlone() {
        TestApi.Draft draft = direct().key(unique("key"));
        TestDelegation first = draft.register();
        String before = first.get().asString();

        expectProblem(draft.with("task", "something else").post(), 422, "idempotency-mismatch");
        expectProblem(draft.with("task", "count the sheep").with("priority", 6).post(), 422, "idempotency-mismatch");

        assertEquals(1, rowsOf(draft));
        assertEquals(before, first.get().asString());
    }

    @Test
    void keepsTheKeysOfCallersApart() {
        String key = unique("key");

        TestDelegation one = direct().key(key).register();
        TestDelegation other = direct().key(key).register();

        assertNotEquals(one, other);
    }

    @Test
    void doesNotMindTheOrderOfFieldsNorWhitespace() {
        // given
        String caller = unique("caller");
        String key = unique("key");
        String first = "{\"caller\":\"%s\",\"task\":\"t\",\"agent\":\"a\",\"labels\":{\"x\":\"1\",\"y\":\"2\"},"
                + "\"payload\":{\"a\":{\"b\":1,\"c\":[1,2]},\"d\":null}}";
        String second =
                "{ \"payload\" : {\"d\":null, \"a\":{\"c\":[1, 2],\"b\":1}},\n\"labels\":{\"y\":\"2\",\"x\":\"1\"},"
                        + "\"agent\":\"a\",\"task\":\"t\",\"caller\":\"%s\"}";
        String id = send(first.formatted(caller), key)
                .then()
                .statusCode(201)
                .extract()
                .path("id");

        // then
        send(second.formatted(caller), key).then().statusCode(200).body("id", equalTo(id));
        // but the order within a list says something
        expectProblem(send(second.formatted(caller).replace("[1, 2]", "[2, 1]"), key), 422, "idempotency-mismatch");
    }

    @Test
    void takesTheCallersOwnIdForAKey() {
        // given
        UUID id = UUID.randomUUID();
        TestApi.Draft draft = queued().with("id", id);
        TestDelegation registered = draft.register().closed("cancelled");

        // then
        draft.post().then().statusCode(200).body("id", equalTo(id.toString())).body("status", equalTo("cancelled"));
        expectProblem(draft.with("priority", 1).post(), 422, "idempotency-mismatch");
        assertEquals("cancelled", registered.status());
        assertEquals(1, rowsOf(draft));
    }

    @Test
    void refusesAnIdThatAnotherCallerTook() {
        UUID id = UUID.randomUUID();
        direct().with("id", id).register();

        expectProblem(direct().with("id", id).post(), 422, "idempotency-mismatch");
    }

    @Test
    void refusesAKeyThatIsTooLong() {
        TestApi.Draft draft = direct();
        draft.key("k".repeat(255)).post().then().statusCode(201);
        expectProblem(draft.key("k".repeat(256)).post(), 400, "invalid-request");
        assertEquals(1, rowsOf(draft));
    }

    @Test
    void makesOneRowOfFiftyParallelRegistrationsWithOneKey() {
        TestApi.Draft draft = direct().key(unique("key"));

        List<Response> answers = TestParallel.times(50, i -> draft.post());

        expectOneCreated(answers);
        assertEquals(1, rowsOf(draft));
    }

    @Test
    void makesOneRowOfParallelRegistrationsWithOneOwnId() {
        TestApi.Draft draft = direct().with("id", UUID.randomUUID());

        List<Response> answers = TestParallel.times(50, i -> draft.post());

        expectOneCreated(answers);
        assertEquals(1, rowsOf(draft));
    }

    @Test
    void makesOneRowOfRegistrationsThatHaveAllSeenThatThereIsNone() throws Exception {
        // given several that have looked, found nothing, and now wait to insert
        TestApi.Draft draft = direct().key(unique("key"));
        List<Future<Response>> waiting;
        try (TestSql.Held nobodyInserts = new TestSql.Held("lock table delegation in share row exclusive mode")) {
            waiting = java.util.stream.IntStream.range(0, 6)
                    .mapToObj(i -> TestParallel.begin(draft::post))
                    .toList();
            nobodyInserts.awaitBlocked(6);
        }

        // when they all insert
        List<Response> answers = new java.util.ArrayList<>();
        for (Future<Response> one : waiting) {
            answers.add(one.get());
        }

        // then
        expectOneCreated(answers);
        assertEquals(1, rowsOf(draft));
        assertEquals(
                1,
                TestApi.delegation(UUID.fromString(answers.get(0).path("id")))
                        .events()
                        .size());
    }

    private static void expectOneCreated(List<Response> answers) {
        List<Integer> codes =
                answers.stream().map(Response::statusCode).sorted().toList();
        assertEquals(201, codes.get(codes.size() - 1));
        assertEquals(Set.of(200), Set.copyOf(codes.subList(0, codes.size() - 1)), codes.toString());
        assertEquals(
                1,
                answers.stream()
                        .map(answer -> answer.<String>path("id"))
                        .collect(Collectors.toSet())
                        .size());
    }

    private static Response send(String body, String key) {
        return TestApi.json()
                .contentType(ContentType.JSON)
                .header("Idempotency-Key", key)
                .body(body)
                .post("/v1/delegations");
    }

    private static long rowsOf(TestApi.Draft draft) {
        return TestSql.count("select count(*) from delegation where caller = ?", draft.get("caller"));
    }
}
