package io.rollcall.http;

import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;

import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Query parameters are as strict as bodies. */
@QuarkusTest
class EdgeParametersTest {
    private static ValidatableResponse query(String query) {
        return given().urlEncodingEnabled(false)
                .get("/v1/edge-probe/query?" + query)
                .then();
    }

    @Test
    void readsWhatIsDeclared() {
        query("since=2026-01-02T03:04:05%2B01:00&for=PT1S&limit=5&colour=dark_red&colour=blue&flag=true")
                .statusCode(200)
                .body("since", equalTo("2026-01-02T02:04:05.000000Z"))
                .body("colour[1]", equalTo("blue"))
                .body("flag", equalTo(true));
        given().get("/v1/edge-probe/query").then().statusCode(200).body("flag", equalTo(false));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "since=yesterday | since | must be a time",
                "since= | since | must not be empty",
                "for=10 | for | must be a duration",
                "id=1-1-1-1-1 | id | must be a UUID",
                "limit=x | limit | must be a whole number",
                "limit=99999999999 | limit | must be a whole number",
                "limit=501 | limit | less than or equal to 500",
                "colour=blue&colour=green | colour | must be one of dark_red, blue",
                "flag | flag | must not be empty",
                "colour=blue&colour= | colour | must not be empty",
                "flag=yes | flag | must be true or false",
                "limit=1&limit=2 | limit | only once",
                "Limit=1 | Limit | there are colour, flag, for, id, limit, since"
            })
    void refusesTheRestAndNamesTheParameter(String query, String field, String message) {
        query(query)
                .statusCode(400)
                .contentType("application/problem+json")
                .body("type", equalTo("urn:rollcall:problem:invalid-request"))
                .body("violations[0].field", equalTo(field))
                .body("violations[0].message", containsString(message));
    }

    @Test
    void refusesAnyParameterWhereNoneIsDeclared() {
        given().contentType("application/json")
                .body("{}")
                .post("/v1/edge-probe/echo?dryRun=true")
                .then()
                .statusCode(400)
                .body("violations[0].message", containsString("there are none"));
    }
}
