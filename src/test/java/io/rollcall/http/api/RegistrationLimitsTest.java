package io.rollcall.http.api;

import static io.rollcall.testing.TestApi.body;
import static io.rollcall.testing.TestApi.direct;
import static io.rollcall.testing.TestApi.expectProblem;
import static io.rollcall.testing.TestApi.queued;
import static io.rollcall.testing.TestApi.unique;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.startsWith;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.quarkus.test.junit.QuarkusTest;
import io.rollcall.testing.TestApi;
import io.rollcall.testing.TestSql;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.hamcrest.Matcher;
import org.hamcrest.Matchers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every limit of a registration from both sides: what is refused leaves no row, and nothing is bent to fit. */
@QuarkusTest
class RegistrationLimitsTest {
    private static final int MAX_DOCUMENT = 256 * 1024;

    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource("tooMuch")
    void refusesWhatIsOutsideTheContract(String field, String what, Object value) {
        TestApi.Draft draft = draftFor(field).with(field, value);

        var problem = expectProblem(draft.post(), 400, "invalid-request");

        problem.body("violations.field", hasItem(startsWith(field)));
        assertEquals(0, rowsOf(draft), "rows");
    }

    static Stream<Arguments> tooMuch() {
        List<Arguments> all = new ArrayList<>();
        refuse(all, "caller", null, "", "n".repeat(129), "a b", "a/b", "ü", "a\n", 5, List.of("a"));
        refuse(all, "agent", "", "n".repeat(129), "a b", "a,b", true);
        refuse(all, "queue", "", "n".repeat(129), "a#b", "\uD83D\uDC11");
        refuse(all, "task", null, "", "t".repeat(1_001), 7);
        refuse(all, "priority", -1, 10, 5.5, "5", true, 3_000_000_000L);
        refuse(all, "maxRequeues", -1, 101, 1.5, "3");
        refuse(all, "recovery", "retry", "NONE", "", 0);
        for (String duration : List.of("heartbeatTimeout", "queueTimeout", "maxRunning", "deadlineIn")) {
            refuse(all, duration, "PT0S", "PT0.999999S", "-PT1M", "P30DT0.000001S", "P1M", "10m", "", 600);
        }
        Instant now = Instant.now();
        refuse(
                all,
                "deadlineAt",
                now.minus(Duration.ofSeconds(1)).toString(),
                now.plus(Duration.ofDays(30)).plus(Duration.ofMinutes(10)).toString(),
                "0001-01-01T00:00:00Z",
                "9999-12-31T23:59:59Z",
                "tomorrow",
                "2026-01-02",
                "",
                1_800_000_000L);
        refuse(all, "availableAt", now.plus(Duration.ofDays(29)).toString(), "soon", 0);
        refuse(all, "id", "7", "", "01890a5d-ac96-774b-bcce-b302099a805", 7);
        Map<String, Object> many = new LinkedHashMap<>();
        for (int i = 0; i < 21; i++) {
            many.put("label" + i, "v");
        }
        refuse(
                all,
                "labels",
                many,
                body("k".repeat(64), "v"),
                body("k", "v".repeat(256)),
                body("", "v"),
                body("a:b", "v"),
                body("a b", "v"),
                body("k", null),
                body("k", 1),
                List.of("k"),
                "k:v");
        refuse(all, "payload", "p".repeat(MAX_DOCUMENT - 1));
        refuse(all, "somethingElse", "x");
        return all.stream();
    }

    private static void refuse(List<Arguments> all, String field, Object... values) {
        for (Object value : values) {
            String text = String.valueOf(value).replace("\n", "\\n");
            all.add(arguments(field, text.length() > 60 ? text.substring(0, 60) + "..." : text, value));
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("justEnough")
    void takesWhatIsJustInsideTheContract(String field, Object value, Matcher<?> back) {
        TestApi.Draft draft = draftFor(field).with(field, value);

        draft.post().then().statusCode(201).body(field, back);
    }

    static Stream<Arguments> justEnough() {
        Map<String, Object> labels = new LinkedHashMap<>();
        for (int i = 0; i < 20; i++) {
            labels.put("%063d".formatted(i), "v".repeat(255));
        }
        return Stream.of(
                same("caller", "n".repeat(128)),
                same("caller", "AZaz09._:@-" + UUID.randomUUID()),
                same("agent", "n".repeat(128)),
                same("queue", "q".repeat(128)),
                same("task", "t".repeat(1_000)),
                same("task", " "),
                same("priority", 0),
                same("priority", 9),
                same("maxRequeues", 0),
                same("maxRequeues", 100),
                same("heartbeatTimeout", "PT1S"),
                same("queueTimeout", "PT1.000001S"),
                arguments("maxRunning", "P30D", equalTo("PT720H")),
                arguments("deadlineIn", "P30D", Matchers.nullValue()),
                arguments("deadlineIn", "PT1S", Matchers.nullValue()),
                same("labels", labels),
                same("labels", body("k", "")),
                same("payload", "p".repeat(MAX_DOCUMENT - 2)),
                same("payload", "\uD83D\uDC11".repeat((MAX_DOCUMENT - 2) / 4)));
    }

    private static Arguments same(String field, Object value) {
        return arguments(field, value, equalTo(value));
    }

    @Test
    void wantsOneDeadlineOnly() {
        TestApi.Draft draft = draftFor("deadlineIn")
                .with("deadlineIn", "PT1H")
                .with("deadlineAt", Instant.now().plusSeconds(60).toString());

        expectProblem(draft.post(), 400, "invalid-request");

        assertEquals(0, rowsOf(draft));
    }

    @Test
    void delaysOnlyWhatIsQueued() {
        TestApi.Draft draft = draftFor("agent")
                .with("availableAt", Instant.now().plusSeconds(60).toString());

        expectProblem(draft.post(), 400, "invalid-request");

        assertEquals(0, rowsOf(draft));
    }

    @Test
    void namesEverythingThatIsWrongAtOnce() {
        expectProblem(
                        direct().with("task", "")
                                .with("priority", 11)
                                .with("agent", "?")
                                .post(),
                        400,
                        "invalid-request")
                .body("violations.field", Matchers.containsInAnyOrder("task", "priority", "agent"))
                .body("detail", Matchers.not(Matchers.emptyOrNullString()));
    }

    @Test
    void refusesTheCharacterZeroInAnyText() {
        List<TestApi.Draft> drafts = List.of(
                direct().with("task", "a\u0000b"),
                draftFor("payload").with("payload", body("k", "a\u0000b")),
                draftFor("payload").with("payload", body("a\u0000b", 1)),
                draftFor("payload").with("payload", Arrays.asList(1, "\u0000")),
                draftFor("labels").with("labels", body("k", "\u0000")));

        for (TestApi.Draft draft : drafts) {
            expectProblem(draft.post(), 400, "invalid-request");
            assertEquals(0, rowsOf(draft));
        }
    }

    @Test
    void refusesABodyOverOneMebibyte() {
        TestApi.Draft draft = draftFor("payload").with("payload", "p".repeat(1 << 20));

        expectProblem(draft.post(), 413, "content-too-large");

        assertEquals(0, rowsOf(draft));
    }

    @Test
    void refusesAPayloadThatIsNestedTooDeep() {
        TestApi.Draft draft = draftFor("payload");
        String nested = "{\"caller\":\"%s\",\"agent\":\"a\",\"task\":\"t\",\"payload\":%s}"
                .formatted(draft.get("caller"), "[".repeat(100) + "]".repeat(100));

        expectProblem(TestApi.json().body(nested).post("/v1/delegations"), 400, "invalid-request");

        assertEquals(0, rowsOf(draft));
    }

    private static TestApi.Draft draftFor(String field) {
        boolean queuedOnly = List.of("queue", "availableAt", "queueTimeout").contains(field);
        return (queuedOnly ? queued() : direct()).with("task", unique("task"));
    }

    /** By the task and by the caller: one of both is not what is being tried. */
    private static long rowsOf(TestApi.Draft draft) {
        return TestSql.count(
                "select count(*) from delegation where task = ? or caller = ?",
                draft.get("task").replace("\u0000", ""),
                draft.get("caller"));
    }
}
