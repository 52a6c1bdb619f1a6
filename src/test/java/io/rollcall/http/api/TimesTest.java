package io.rollcall.http.api;

import static io.rollcall.testing.TestApi.body;
import static io.rollcall.testing.TestApi.direct;
import static io.rollcall.testing.TestApi.queued;
import static io.rollcall.testing.TestApi.unique;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quarkus.test.junit.QuarkusTest;
import io.rollcall.testing.TestApi;
import io.rollcall.testing.TestDelegation;
import io.rollcall.testing.TestSql;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Every time in every answer: RFC 3339, UTC, microseconds. */
@QuarkusTest
class TimesTest {
    private static final String WRITTEN = "\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{6}Z";
    private static final List<String> OTHERS = List.of("now", "oldestQueuedAt", "since");

    @Test
    void areWrittenInUtcWithMicroseconds() {
        // given delegations that have every time there is
        String caller = unique("caller");
        TestDelegation ended =
                direct().with("caller", caller).register().begun().stuck();
        ended.report("completed").then().statusCode(200);
        TestDelegation waiting = queued().with("caller", caller).register();
        TestDelegation held = direct().with("caller", caller).register();
        String beat = held.beat().asString();
        held.edit("deadlineAt", Instant.now().plusSeconds(600).toString())
                .then()
                .statusCode(200);

        // when
        List<String> answers = List.of(
                ended.get().asString(),
                waiting.get().asString(),
                held.get().asString(),
                beat,
                TestApi.get("/v1/delegations", "caller", caller).asString(),
                TestApi.get("/v1/delegations/" + ended.id() + "/events").asString(),
                TestApi.get("/v1/delegations/" + held.id() + "/events").asString(),
                TestApi.post(
                                "/v1/heartbeats",
                                "items",
                                List.of(body("id", held.id().toString())))
                        .asString(),
                TestApi.get("/v1/stats").asString(),
                TestApi.get("/v1/sweeper").asString());

        // then
        TreeSet<String> seen = new TreeSet<>();
        for (String answer : answers) {
            times("", new io.restassured.path.json.JsonPath(answer).get(""), seen);
        }
        assertTrue(
                seen.containsAll(List.of(
                        "at",
                        "availableAt",
                        "createdAt",
                        "deadlineAt",
                        "finishedAt",
                        "lastHeartbeatAt",
                        "now",
                        "oldestQueuedAt",
                        "staleAt",
                        "startedAt",
                        "updatedAt")),
                seen.toString());
    }

    @Test
    void areKeptToTheMicrosecondAndCutBelow() {
        Instant second = Instant.now().plus(Duration.ofDays(1)).truncatedTo(ChronoUnit.SECONDS);
        TestDelegation work = direct().with(
                        "deadlineAt",
                        second.atOffset(ZoneOffset.ofHours(1))
                                .format(DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss'.123456789'xxx")))
                .register();

        Instant cut = second.plus(123_456, ChronoUnit.MICROS);
        assertEquals(cut, TestApi.time(work.read(), "deadlineAt"));
        assertEquals(cut, TestSql.delegation(work.id()).get("deadline_at"));
    }

    @Test
    void areThoseOfTheDatabase() {
        TestDelegation work = direct().register();

        Map<String, Object> row = TestSql.delegation(work.id());

        assertEquals(row.get("created_at"), TestApi.time(work.read(), "createdAt"));
        assertEquals(row.get("deadline_at"), TestApi.time(work.read(), "deadlineAt"));
    }

    /** Looks at every text below a value whose name says that it is a time. */
    private static void times(String name, Object value, TreeSet<String> seen) {
        if (value instanceof Map<?, ?> object) {
            object.forEach((key, below) -> times(String.valueOf(key), below, seen));
        } else if (value instanceof List<?> list) {
            new ArrayList<>(list).forEach(below -> times(name, below, seen));
        } else if (name.equals("at") || name.endsWith("At") || OTHERS.contains(name)) {
            assertTrue(String.valueOf(value).matches(WRITTEN), name + ": " + value);
            seen.add(name);
        }
    }
}
