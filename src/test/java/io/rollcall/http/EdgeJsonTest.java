package io.rollcall.http;

import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasKey;
import static org.hamcrest.Matchers.not;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is taken for JSON, and what the answer says of the rest. Both on a worker and on the event loop. */
@QuarkusTest
class EdgeJsonTest {
    private static final String ECHO = "/v1/edge-probe/echo";

    private static ValidatableResponse echo(String path, String body) {
        return given().contentType("application/json").body(body).post(path).then();
    }

    private static void isRefused(String body, String field, String message) {
        for (String path : new String[] {ECHO, ECHO + "/event-loop"}) {
            echo(path, body)
                    .statusCode(400)
                    .contentType("application/problem+json")
                    .body("type", equalTo("urn:rollcall:problem:invalid-request"))
                    .body("violations[0].field", equalTo(field))
                    .body("violations[0].message", containsString(message))
                    .body(not(containsString("java.")))
                    .body(not(containsString("io.rollcall")));
        }
    }

    private static String echoed(String body) {
        return echo(ECHO, body).statusCode(200).extract().asString();
    }

    @Test
    void givesBackWhatItUnderstood() {
        String body = "{\"text\":\"a😀\",\"number\":3,\"ratio\":0.5,\"flag\":true,\"colour\":\"dark_red\","
                + "\"id\":\"01890a5d-ac96-774b-bcce-b302099a8057\",\"at\":\"2026-01-02T03:04:05.123456Z\","
                + "\"lasts\":\"PT10M\",\"tree\":{\"a\":1.10,\"b\":null,\"c\":[]},\"labels\":{\"x\":\"y\"},"
                + "\"items\":[{\"task\":\"t\"}]}";
        assertEquals(body, echoed(body));
    }

    @ParameterizedTest
    @CsvSource({
        "2026-01-02T03:04:05.1234567+02:00, 2026-01-02T01:04:05.123456Z",
        "2026-01-02t03:04:05z, 2026-01-02T03:04:05.000000Z",
        "1969-12-31T23:59:59.9999999Z, 1969-12-31T23:59:59.999999Z",
        "0001-01-01T00:00:00Z, 0001-01-01T00:00:00.000000Z",
        "9999-12-31T23:59:59.999999999Z, 9999-12-31T23:59:59.999999Z"
    })
    void readsTimesOfAnyOffsetAndWritesMicrosecondsInUtc(String sent, String answered) {
        assertEquals("{\"at\":\"" + answered + "\"}", echoed("{\"at\":\"" + sent + "\"}"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "5",
                "\"\"",
                "\"2026-01-02\"",
                "\"2026-02-30T00:00:00Z\"",
                "\"0000-12-31T23:59:59Z\"",
                "\"0001-01-01T00:00:00+01:00\"",
                "\"9999-12-31T23:59:59-01:00\"",
                "\"10000-01-01T00:00:00Z\"",
                "\"2026-01-02T03:04:05\"",
                "\"2026-01-02T03:04:05+25:00\"",
                "true",
                "{}"
            })
    void refusesWhatIsNoTime(String value) {
        isRefused("{\"at\":" + value + "}", "at", "must be a time");
    }

    @ParameterizedTest
    @ValueSource(strings = {"600", "\"600\"", "\"10m\"", "\"P1M\"", "\"\"", "\"PT99999999999999999999H\"", "true"})
    void refusesWhatIsNoDuration(String value) {
        isRefused("{\"lasts\":" + value + "}", "lasts", "must be a duration");
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"1-1-1-1-1\"", "\"\"", "5", "\"AYkKXayWd0u8zrMCCZqAVw==\""})
    void refusesWhatIsNoUuid(String value) {
        isRefused("{\"id\":" + value + "}", "id", "must be a UUID");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"text\":5} | text | must be a string",
                "{\"text\":1.5} | text | must be a string",
                "{\"text\":true} | text | must be a string",
                "{\"text\":{}} | text | must be a string",
                "{\"number\":\"5\"} | number | must be a whole number",
                "{\"number\":\"\"} | number | must be a whole number",
                "{\"number\":5.0} | number | must be a whole number",
                "{\"number\":true} | number | must be a whole number",
                "{\"number\":99999999999} | number | out of range",
                "{\"ratio\":\"0.5\"} | ratio | must be a number",
                "{\"ratio\":NaN} | ratio | not valid JSON",
                "{\"flag\":\"true\"} | flag | must be true or false",
                "{\"flag\":1} | flag | must be true or false",
                "{\"colour\":\"red\"} | colour | must be one of dark_red, blue",
                "{\"colour\":\"DARK_RED\"} | colour | must be one of dark_red, blue",
                "{\"colour\":0} | colour | must be one of dark_red, blue",
                "{\"colour\":\"\"} | colour | must be one of dark_red, blue",
                "{\"items\":{}} | items | must be an array",
                "{\"items\":[5]} | items[0] | must be an object",
                "{\"items\":[null]} | items[0] | must not be null",
                "{\"labels\":[]} | labels | must be an object",
                "{\"labels\":{\"a.b\":null}} | labels[\"a.b\"] | must not be null"
            })
    void bendsNothing(String body, String field, String message) {
        isRefused(body, field, message);
    }

    @Test
    void namesUnknownFieldsAndBrokenConstraintsWhereTheyStand() {
        isRefused("{\"wrong\":1}", "wrong", "not a field that is known");
        isRefused("{\"items\":[{\"task\":\"t\"},{\"tusk\":\"t\"}]}", "items[1].tusk", "not a field that is known");
        isRefused("{\"items\":[{\"task\":\"t\"},{\"task\":\"\"}]}", "items[1].task", "must not be blank");
        isRefused("{\"labels\":{\"x\":\"too long\"}}", "labels.x", "size must be");
        echo(ECHO, "{\"items\":[{\"task\":\"t\"},{\"task\":\"\"}]}").body("violations[0].index", equalTo(1));
        echo(ECHO, "{\"text\":\"too long\"}").body("violations[0]", not(hasKey("index")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"{", "{\"text\":\"a", "[1,", "{} x", "{}{}", "{\"text\":'a'}", "{text:1}", "01", "//x\n{}"})
    void refusesWhatIsNotOneJsonDocument(String body) {
        echo(ECHO, body).statusCode(400).body("type", equalTo("urn:rollcall:problem:invalid-request"));
    }

    @Test
    void asksForABodyWhereOneIsNeeded() {
        isRefused("", "", "is empty");
        isRefused("null", "", "must not be null");
        isRefused("[]", "", "must be an object");
        given().contentType("application/json").post(ECHO).then().statusCode(400);
        given().noContentType().post(ECHO).then().statusCode(400);
    }

    @Test
    void takesNoBodyWhereItIsOptional() {
        given().noContentType()
                .post("/v1/edge-probe/optional")
                .then()
                .statusCode(200)
                .body("given", equalTo(false));
        echo("/v1/edge-probe/optional", "{}").statusCode(200).body("given", equalTo(true));
        echo("/v1/edge-probe/optional", "{").statusCode(400);
    }

    @Test
    void refusesAFieldThatComesTwice() {
        isRefused("{\"text\":\"a\",\"text\":\"b\"}", "text", "more than once");
        isRefused("{\"labels\":{\"a\":\"1\",\"a\":\"2\"}}", "labels.a", "more than once");
        isRefused("{\"tree\":[{\"a\":1,\"a\":2}]}", "tree[0].a", "more than once");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"text\":\"\\u0000\"}",
                "{\"tree\":{\"\\u0000\":1}}",
                "{\"tree\":[[\"a\\\\\\u0000\"]]}",
                "{\"labels\":{\"\\u0000\":\"\"}}",
                "{\"unknown\\u0000\":1}"
            })
    void refusesU0000WhereverItStands(String body) {
        isRefused(body, "", "U+0000");
    }

    @ParameterizedTest
    @ValueSource(strings = {"\\ud800", "\\ude00", "\\ude00\\ud83d", "\\ud83dx", "\\ud83d\\n", "\\uD83D\\uD83D"})
    void refusesHalfASurrogatePair(String text) {
        isRefused("{\"tree\":[\"" + text + "\"]}", "", "half of a surrogate pair");
    }

    @Test
    void takesWhatOnlyLooksLikeAnEscape() {
        assertEquals("{\"tree\":\"\\\\u0000\"}", echoed("{\"tree\":\"\\\\u0000\"}"));
        assertEquals("{\"tree\":\"😀\"}", echoed("{\"tree\":\"\\ud83d\\ude00\"}"));
    }

    @Test
    void boundsNestingAndNumbers() {
        assertEquals(
                200,
                given().contentType("application/json")
                        .body(nested(99))
                        .post(ECHO)
                        .statusCode());
        isRefused(nested(100), "tree", "deeper than 100 levels");
        isRefused("{\"tree\":1e999}", "", "out of range");
        isRefused("{\"tree\":-1e-999999999999}", "", "out of range");
        isRefused("{\"tree\":" + "9".repeat(310) + "}", "", "out of range");
        assertEquals("{\"tree\":1E+308}", echoed("{\"tree\":1e308}"));
        assertEquals("{\"tree\":\"1e999\"}", echoed("{\"tree\":\"1e999\"}"));
    }

    private static String nested(int depth) {
        return "{\"tree\":" + "[".repeat(depth) + "]".repeat(depth) + "}";
    }
}
