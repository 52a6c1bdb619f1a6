package io.rollcall.http.api;

import static io.rollcall.testing.TestApi.direct;
import static io.rollcall.testing.TestApi.expectProblem;
import static io.rollcall.testing.TestApi.list;
import static io.rollcall.testing.TestApi.unique;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quarkus.test.junit.QuarkusTest;
import io.restassured.path.json.JsonPath;
import io.restassured.response.Response;
import io.rollcall.testing.TestApi;
import io.rollcall.testing.TestSql;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Walking through long lists: each once, whatever else happens, and no cursor but the right one. */
@QuarkusTest
class PagingTest {
    private final String caller = unique("caller");

    @ParameterizedTest
    @ValueSource(strings = {"-createdAt", "createdAt", "-updatedAt", "deadlineAt"})
    void bringsFiveHundredRowsOfOneInstantEachOnceByPagesOfSeven(String sort) {
        // given
        Set<UUID> all = Set.copyOf(addOfOneInstant(500));

        // when
        List<UUID> walked = walk(7, "caller", caller, "sort", sort);

        // then
        assertEquals(500, walked.size());
        assertEquals(all, Set.copyOf(walked));
    }

    @Test
    void bringsThoseOfSeveralStatusesOfOneInstantEachOnce() {
        Set<UUID> all = Set.copyOf(addOfOneInstant(100));
        TestSql.execute("""
                update delegation set status = 'completed', reason = 'operator', finished_at = now(), due_at = null
                where caller = ? and get_byte(uuid_send(id), 15) % 2 = 0
                """, caller);
        assertTrue(TestSql.count("select count(*) from delegation where caller = ? and status = 'completed'", caller)
                > 10);

        List<UUID> walked = walk(7, "caller", caller, "status", "completed,dispatched");

        assertEquals(100, walked.size());
        assertEquals(all, Set.copyOf(walked));
    }

    @Test
    void isNotDisturbedByWhatComesAndGoesDuringTheWalk() {
        // given
        List<UUID> all = addOfOneInstant(40);
        JsonPath first = list("caller", caller, "limit", 10);
        List<UUID> walked = new ArrayList<>(TestApi.ids(first));

        // when one on the page before goes, one ahead goes, and new ones come
        UUID ahead = all.stream().filter(id -> !walked.contains(id)).findFirst().orElseThrow();
        TestSql.execute("delete from delegation where id in (?, ?)", walked.get(0), ahead);
        direct().with("caller", caller).register();
        walked.addAll(walkFrom(first, 10, "caller", caller));

        // then
        assertEquals(39, walked.size());
        assertEquals(39, Set.copyOf(walked).size());
        assertTrue(all.containsAll(walked));
    }

    @Test
    void givesNoCursorOnTheLastPageEvenWhereItIsFull() {
        addOfOneInstant(20);

        JsonPath first = list("caller", caller, "limit", 10);
        JsonPath second = list("caller", caller, "limit", 10, "cursor", first.getString("nextCursor"));

        assertEquals(10, second.getList("items").size());
        assertNull(second.get("nextCursor"));
        assertNull(list("caller", caller, "limit", 20).get("nextCursor"));
    }

    @Test
    void bringsFiftyUnlessAskedForMoreAndFiveHundredAtMost() {
        addOfOneInstant(501);

        assertEquals(50, list("caller", caller).getList("items").size());
        assertEquals(1, list("caller", caller, "limit", 1).getList("items").size());
        assertEquals(500, list("caller", caller, "limit", 500).getList("items").size());
    }

    @Test
    void bindsACursorToItsSortAndFilters() {
        addOfOneInstant(3);
        String cursor = list("caller", caller, "status", "dispatched,queued", "limit", 1)
                .getString("nextCursor");

        // the same list, said otherwise, and pages of another length
        list("caller", caller, "status", List.of("queued", "dispatched"), "sort", "-createdAt", "cursor", cursor);
        list("caller", caller, "status", "dispatched,queued", "limit", 2, "cursor", cursor);

        // other lists
        expectInvalidCursor("caller", caller, "cursor", cursor);
        expectInvalidCursor("caller", caller, "status", "dispatched", "cursor", cursor);
        expectInvalidCursor("caller", "other", "status", "dispatched,queued", "cursor", cursor);
        expectInvalidCursor("caller", caller, "status", "dispatched,queued", "sort", "createdAt", "cursor", cursor);
        expectInvalidCursor("caller", caller, "status", "dispatched,queued", "neverBeat", true, "cursor", cursor);
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "!!!", "AAAA", "bm90LGEsY3Vyc29y", "ü", "0", "null", "../..", "%00", " "})
    void refusesACursorThatItNeverGave(String cursor) {
        expectInvalidCursor("caller", caller, "cursor", cursor);
    }

    @Test
    void refusesAnEmptyCursorRatherThanBeginAnew() {
        Response answer = TestApi.get("/v1/delegations", "caller", caller, "cursor", "");

        assertEquals(400, answer.statusCode(), answer.asString());
    }

    @ParameterizedTest
    @CsvSource({"1,-9223372036854775808", "1,9223372036854775807", "1,1e9", "1,", "2,1-1-1-1-1", "2,zz", "0,00"})
    void isNotUpsetByACursorThatSomebodyBentIntoShape(int part, String value) {
        // given
        addOfOneInstant(2);
        String cursor = list("caller", caller, "limit", 1).getString("nextCursor");
        String[] parts = new String(Base64.getUrlDecoder().decode(cursor), StandardCharsets.UTF_8).split(",", -1);

        // when
        parts[part] = value == null ? "" : value;
        String bent = Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(String.join(",", parts).getBytes(StandardCharsets.UTF_8));

        // then it is refused, or stands for a place where nothing is
        Response answer = TestApi.get("/v1/delegations", "caller", caller, "cursor", bent);
        assertTrue(Set.of(200, 400).contains(answer.statusCode()), answer.asString());
    }

    @ParameterizedTest
    @CsvSource({
        "limit,0",
        "limit,501",
        "limit,-1",
        "limit,ten",
        "limit,1.5",
        "limit,''",
        "sort,updatedAt",
        "sort,''",
        "sort,-deadlineAt",
        "status,open",
        "status,COMPLETED",
        "status,''",
        "status,'completed,'",
        "deadLetter,maybe",
        "neverBeat,1",
        "createdAfter,yesterday",
        "createdBefore,2026-01-02",
        "label,team",
        "label,:x",
        "colour,red",
        "Status,failed"
    })
    void refusesWhatIsNoQuery(String name, String value) {
        expectProblem(TestApi.get("/v1/delegations", name, value), 400, "invalid-request");
    }

    private static void expectInvalidCursor(Object... query) {
        expectProblem(TestApi.get("/v1/delegations", query), 400, "invalid-cursor");
    }

    private List<UUID> addOfOneInstant(int rows) {
        List<UUID> ids = new ArrayList<>();
        for (int from = 0; from < rows; from += 1_000) {
            List<Map<String, Object>> items = IntStream.range(from, Math.min(rows, from + 1_000))
                    .mapToObj(i -> direct().with("caller", caller).body())
                    .toList();
            ids.addAll(TestApi.ids(TestApi.post("/v1/delegations/batch", "items", items)
                    .then()
                    .statusCode(201)
                    .extract()
                    .jsonPath()));
        }
        TestSql.execute("""
                update delegation d set created_at = t.at, updated_at = t.at, deadline_at = t.at + interval '1 day'
                from (select date_trunc('second', now()) - interval '1 minute' as at) t where d.caller = ?
                """, caller);
        return ids;
    }

    private static List<UUID> walk(int limit, Object... query) {
        JsonPath first = list(with(query, "limit", limit));
        List<UUID> walked = new ArrayList<>(TestApi.ids(first));
        walked.addAll(walkFrom(first, limit, query));
        return walked;
    }

    private static List<UUID> walkFrom(JsonPath page, int limit, Object... query) {
        List<UUID> walked = new ArrayList<>();
        String cursor = page.getString("nextCursor");
        while (cursor != null) {
            JsonPath next = list(with(query, "limit", limit, "cursor", cursor));
            walked.addAll(TestApi.ids(next));
            cursor = next.getString("nextCursor");
        }
        return walked;
    }

    private static Object[] with(Object[] query, Object... more) {
        List<Object> all = new ArrayList<>(List.of(query));
        all.addAll(List.of(more));
        return all.toArray();
    }
}
