package io.rollcall.testing;

import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.equalTo;

import io.restassured.http.ContentType;
import io.restassured.path.json.JsonPath;
import io.restassured.response.Response;
import io.restassured.response.ValidatableResponse;
import io.restassured.specification.RequestSpecification;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * The service as callers, agents and operators meet it: over HTTP.
 *
 * <pre>{@code
 * TestDelegation work = TestApi.direct().with("recovery", "requeue").register();
 * work.beat("epoch", 1).then().statusCode(200);
 * work.report("completed", "epoch", 1, "result", Map.of("n", 1)).then().statusCode(200);
 * assertEquals("completed", work.status());
 * }</pre>
 */
public final class TestApi {
    private TestApi() {}

    /** A name that no other test uses. */
    public static String unique(String prefix) {
        return prefix + "-" + UUID.randomUUID();
    }

    /** A JSON object of names and values in turn. */
    public static Map<String, Object> body(Object... namesAndValues) {
        if (namesAndValues.length % 2 != 0) {
            throw new IllegalArgumentException("a name without a value");
        }
        Map<String, Object> body = new LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            body.put((String) namesAndValues[i], namesAndValues[i + 1]);
        }
        return body;
    }

    /** A request with a JSON body to come. */
    public static RequestSpecification json() {
        return given().contentType(ContentType.JSON).urlEncodingEnabled(true);
    }

    /** POSTs a JSON object. */
    public static Response post(String path, Object... namesAndValues) {
        return json().body(body(namesAndValues)).post(path);
    }

    /** GETs, with query parameters: names and values in turn. */
    public static Response get(String path, Object... query) {
        Map<String, Object> parameters = body(query);
        parameters.replaceAll((name, value) -> value instanceof List ? value : String.valueOf(value));
        return given().queryParams(parameters).get(path);
    }

    /** A direct registration, to a new agent of a new caller. */
    public static Draft direct() {
        return new Draft().with("agent", unique("agent"));
    }

    /** A queued registration, into a new queue by a new caller. */
    public static Draft queued() {
        return new Draft().with("queue", unique("queue"));
    }

    /** One that exists already. */
    public static TestDelegation delegation(UUID id) {
        return new TestDelegation(id);
    }

    /** One page of the list; query parameters are names and values in turn. */
    public static JsonPath list(Object... query) {
        return get("/v1/delegations", query).then().statusCode(200).extract().jsonPath();
    }

    /** The ids of one page of the list, in order. */
    public static List<UUID> listIds(Object... query) {
        return ids(list(query));
    }

    /** The ids of an answer with {@code items}. */
    public static List<UUID> ids(JsonPath answer) {
        return answer.getList("items.id", String.class).stream()
                .map(UUID::fromString)
                .toList();
    }

    /** Claims from a queue; what was claimed, maybe nothing. */
    public static JsonPath claim(String queue, String agent, Object... more) {
        Map<String, Object> body = body(more);
        body.put("agent", agent);
        return json().body(body)
                .post("/v1/queues/{queue}/claim", queue)
                .then()
                .statusCode(200)
                .extract()
                .jsonPath();
    }

    /** Sweeps as an operator; the report. Rules that judge silence act only after {@link TestSql#beatsAreAccepted()}. */
    public static JsonPath sweep(Object... namesAndValues) {
        return post("/v1/sweeper/sweep", namesAndValues)
                .then()
                .statusCode(200)
                .extract()
                .jsonPath();
    }

    /** Asserts that an answer is that problem, with that status. */
    public static ValidatableResponse expectProblem(Response answer, int status, String name) {
        return answer.then()
                .statusCode(status)
                .contentType("application/problem+json")
                .body("type", equalTo("urn:rollcall:problem:" + name))
                .body("status", equalTo(status));
    }

    /** The time in a field of an answer. */
    public static Instant time(JsonPath answer, String field) {
        return Instant.parse(answer.getString(field));
    }

    /** A registration that is being written. */
    public static final class Draft {
        private final Map<String, Object> body = TestApi.body("caller", unique("caller"), "task", "count the sheep");
        private String idempotencyKey;

        private Draft() {}

        /** Sets a field. */
        public Draft with(String field, Object value) {
            body.put(field, value);
            return this;
        }

        /** Leaves a field out. */
        public Draft without(String field) {
            body.remove(field);
            return this;
        }

        /** Sends it with that {@code Idempotency-Key}. */
        public Draft key(String key) {
            idempotencyKey = key;
            return this;
        }

        /** What will be sent, also as an item of a batch. */
        public Map<String, Object> body() {
            return body;
        }

        /** A field of what will be sent. */
        public String get(String field) {
            return String.valueOf(body.get(field));
        }

        /** Sends it; whatever the answer. */
        public Response post() {
            RequestSpecification request = json().body(body);
            return (idempotencyKey == null ? request : request.header("Idempotency-Key", idempotencyKey))
                    .post("/v1/delegations");
        }

        /** Sends it, and it must be created. */
        public TestDelegation register() {
            return new TestDelegation(
                    UUID.fromString(post().then().statusCode(201).extract().path("id")));
        }
    }
}
