package io.rollcall.http;

import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.emptyOrNullString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasKey;
import static org.hamcrest.Matchers.matchesPattern;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.notNullValue;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever goes wrong leaves as a problem, and tells nothing that is not the client's business. */
@QuarkusTest
class EdgeProblemTest {
    private static final String PROBE = "/v1/edge-probe";
    private static final String UUID = "01890a5d-ac96-774b-bcce-b302099a8057";

    private static ValidatableResponse isProblem(ValidatableResponse response, int status, String name) {
        String body = response.extract().asString();
        assertFalse(
                Stream.of("java.", "io.rollcall", "jackson", "<html", "Exception", "\tat ")
                        .anyMatch(body::contains),
                body);
        return response.statusCode(status)
                .contentType("application/problem+json")
                .body("type", equalTo("urn:rollcall:problem:" + name))
                .body("status", equalTo(status))
                .body("title", not(emptyOrNullString()))
                .body("detail", not(emptyOrNullString()));
    }

    @Test
    void tellsARefusalWithItsFields() {
        isProblem(given().get(PROBE + "/fail/refused").then(), 409, "lease-lost")
                .body("detail", equalTo("The lease is gone."))
                .body("delegationStatus", equalTo("queued"))
                .body("at", equalTo("1970-01-01T00:00:00.000000Z"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"version", "unique"})
    void tellsALostRaceAsConcurrentChange(String how) {
        isProblem(given().get(PROBE + "/fail/" + how).then(), 409, "concurrent-change");
    }

    @ParameterizedTest
    @CsvSource({
        "fail/pool, unavailable",
        "fail/statement, unavailable",
        "fail/slow, unavailable",
        "fail/full, overloaded",
        "fail-later, unavailable"
    })
    void tellsTroubleThatPassesAs503WithRetryAfter(String path, String name) {
        isProblem(given().get(PROBE + "/" + path).then(), 503, name).header("Retry-After", equalTo("1"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"fail/syntax", "fail/checked", "fail/error", "fail/other", "invalid-answer"})
    void tellsAFaultOfOursByAnIdAndNothingElse(String path) {
        isProblem(given().get(PROBE + "/" + path).then(), 500, "internal")
                .body("errorId", notNullValue())
                .body("$", not(hasKey("violations")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/nope", "/q/nope", "/v1/nope", "/v1/edge-probe/nope", "/nope.html", "/nope/"})
    void tellsAnUnknownPathAs404(String path) {
        isProblem(given().get(path).then(), 404, "not-found");
        isProblem(given().header("Accept", "text/html").get(path).then(), 404, "not-found");
        isProblem(given().body("{").post(path).then(), 404, "not-found");
    }

    @Test
    void hasNoEndpointOfTheBenchmark() {
        // given an ordinary build, when its idle heartbeat is called, then there is none
        isProblem(
                given().contentType("application/json")
                        .body("{\"epoch\": 1}")
                        .post("/bench/heartbeat/{id}", "00000000-0000-4000-8000-000000000001")
                        .then(),
                404,
                "not-found");
    }

    @Test
    void answersHeadLikeGetButWithoutABody() {
        given().head("/nope").then().statusCode(404).contentType("application/problem+json");
        given().head(PROBE + "/things/" + UUID).then().statusCode(200).body(emptyOrNullString());
    }

    @Test
    void tellsWhichMethodsAPathHas() {
        isProblem(given().delete(PROBE + "/echo").then(), 405, "method-not-allowed")
                .header("Allow", equalTo("OPTIONS, POST"));
        isProblem(given().post(PROBE + "/things/" + UUID).then(), 405, "method-not-allowed")
                .header("Allow", equalTo("GET, HEAD, OPTIONS"));
        given().options(PROBE + "/things/" + UUID)
                .then()
                .statusCode(204)
                .header("Allow", equalTo("GET, HEAD, OPTIONS"));
        isProblem(given().options("/nope").then(), 404, "not-found");
    }

    @Test
    void refusesOtherMediaTypesThanJson() {
        isProblem(
                given().contentType("text/plain")
                        .body("x")
                        .post(PROBE + "/echo")
                        .then(),
                415,
                "unsupported-media-type");
        isProblem(
                given().contentType("application/json; charset=ISO-8859-1")
                        .body("{}")
                        .post(PROBE + "/echo")
                        .then(),
                415,
                "unsupported-media-type");
        isProblem(
                given().contentType("application/json")
                        .header("Content-Encoding", "gzip")
                        .body("{}")
                        .post(PROBE + "/echo")
                        .then(),
                415,
                "unsupported-media-type");
        isProblem(given().accept("text/html").get(PROBE + "/query").then(), 406, "not-acceptable");
    }

    @Test
    void callsAMalformedIdInThePathInvalid() {
        isProblem(given().get(PROBE + "/things/4711").then(), 400, "invalid-request")
                .body("violations[0].field", equalTo("id"));
    }

    @Test
    void answersTheRequestIdThatTheClientBroughtAndLogsUnderIt() {
        given().header("X-Request-Id", "trace:1.a@b")
                .get(PROBE + "/things/" + UUID)
                .then()
                .header("X-Request-Id", equalTo("trace:1.a@b"))
                .body("requestId", equalTo("trace:1.a@b"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"with space", "semi;colon", "<script>"})
    void makesARequestIdWhereTheClientBroughtNoneOrABadOne(String bad) {
        given().header("X-Request-Id", bad).get("/nope").then().header("X-Request-Id", matchesPattern("[0-9a-f-]{36}"));
        String first = given().get("/nope").header("X-Request-Id");
        String second = given().get("/nope").header("X-Request-Id");
        assertEquals(36, first.length());
        assertFalse(first.equals(second));
    }

    @Test
    void documentsTheProblemsOfEveryOperation() {
        String document =
                given().accept("application/json").get("/q/openapi?format=json").asString();
        var json = io.restassured.path.json.JsonPath.from(document);
        assertTrue(json.getString("openapi").startsWith("3.1"));
        assertEquals(
                "#/components/responses/LeaseLost",
                json.getMap("paths.'/v1/edge-probe/header'.post.responses.'409'")
                        .get("$ref"));
        for (String status : new String[] {"401", "403", "409", "412", "413", "415", "429", "500", "503"}) {
            assertTrue(
                    json.getMap("paths.'/v1/edge-probe/header'.post.responses").containsKey(status), "no " + status);
        }
        assertTrue(
                json.getMap("paths.'/v1/edge-probe/things/{id}'.get.responses").containsKey("404"));
        assertEquals(
                "urn:rollcall:problem:lease-lost",
                json.getString("components.responses.LeaseLost.content.'application/problem+json'.example.type"));
        assertEquals("dark_red", json.getString("components.schemas.Colour.enum[0]"));
    }
}
