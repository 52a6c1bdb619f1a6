package io.rollcall.testing;

import static io.restassured.RestAssured.given;

import io.restassured.path.json.JsonPath;
import io.restassured.response.Response;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * One delegation over HTTP. Further fields of a body are given as names and values in turn; answers come back whatever they
 * say, unless a method tells otherwise.
 *
 * @param id its id
 */
public record TestDelegation(UUID id) {
    private static final String PATH = "/v1/delegations/{id}";

    /** As it is now. */
    public JsonPath read() {
        return get().then().statusCode(200).extract().jsonPath();
    }

    /** The same, as an answer. */
    public Response get() {
        return given().get(PATH, id);
    }

    /** Its status now. */
    public String status() {
        return read().getString("status");
    }

    /** A heartbeat. */
    public Response beat(Object... namesAndValues) {
        return post("heartbeat", TestApi.body(namesAndValues));
    }

    /** A first beat without an epoch, which must succeed: it is in progress after that. */
    public TestDelegation begun() {
        beat().then().statusCode(200);
        return this;
    }

    /** A report. */
    public Response report(String status, Object... namesAndValues) {
        Map<String, Object> body = TestApi.body(namesAndValues);
        body.put("status", status);
        return post("status", body);
    }

    /** An operator's close, which must succeed. */
    public TestDelegation closed(String status) {
        report(status, "note", "closed by hand").then().statusCode(200);
        return this;
    }

    /** An operator's edit. */
    public Response edit(Object... namesAndValues) {
        return TestApi.json().body(TestApi.body(namesAndValues)).patch(PATH, id);
    }

    /** An operator's retry. */
    public Response retry(Object... namesAndValues) {
        return post("retry", TestApi.body(namesAndValues));
    }

    /** A cancellation. */
    public Response cancel(Object... namesAndValues) {
        return post("cancel", TestApi.body(namesAndValues));
    }

    /** The end of the agent's run. */
    public Response outcome(int exitCode, Object... namesAndValues) {
        Map<String, Object> body = TestApi.body(namesAndValues);
        body.put("exitCode", exitCode);
        return post("outcome", body);
    }

    /** A step of the agent's run. */
    public Response step(long epoch, String kind, Object data) {
        return post("events", TestApi.body("epoch", epoch, "kind", kind, "data", data));
    }

    /** POSTs to a path below it. */
    public Response post(String call, Map<String, Object> body) {
        return TestApi.json().body(body).post(PATH + "/" + call, id);
    }

    /** Its whole history, oldest first. */
    public List<Map<String, Object>> events() {
        return given().queryParam("limit", 500)
                .get(PATH + "/events", id)
                .then()
                .statusCode(200)
                .extract()
                .jsonPath()
                .getList("items");
    }

    /** The lines of one kind in its history, oldest first. */
    public List<Map<String, Object>> events(String kind) {
        return events().stream().filter(event -> kind.equals(event.get("kind"))).toList();
    }

    /** Stuck: it went silent, and a sweep found it so. It must have begun. */
    public TestDelegation stuck() {
        TestSql.silence(id);
        TestSql.beatsAreAccepted();
        TestApi.sweep("force", true);
        String status = status();
        if (!"stuck".equals(status)) {
            throw new AssertionError("expected it to be stuck, but it is " + status);
        }
        return this;
    }
}
