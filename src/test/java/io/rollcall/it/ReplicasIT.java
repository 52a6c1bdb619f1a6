package io.rollcall.it;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.rollcall.it.PackagedService.Answer;
import io.rollcall.testing.PostgresResource;
import io.rollcall.testing.TestParallel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What only several processes on one database can show. */
class ReplicasIT {
    private static final String[] SMALL_JVM = {"-XX:TieredStopAtLevel=1", "-Xmx256m"};

    private static final String NOW = "select to_char(now() at time zone 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"')";

    private static final List<Path> LIBFAKETIME = List.of(
            Path.of("/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1"),
            Path.of("/usr/lib/aarch64-linux-gnu/faketime/libfaketimeMT.so.1"));

    @TempDir
    Path directory;

    @Test
    void eightAgentsAndThreeReplicasDrainFiveThousandEachDoneOnce() throws Exception {
        String url = PostgresResource.createDatabase();
        try (var first = start(url);
                var second = start(url);
                var third = start(url)) {
            List<PackagedService> replicas = List.of(first, second, third);
            for (int batch = 0; batch < 5; batch++) {
                registerQueued(replicas.get(batch % 3), "drain", 1_000);
            }

            // when each agent claims from any replica and reports to another one
            List<List<String>> done = TestParallel.times(8, agent -> {
                List<String> mine = new ArrayList<>();
                for (int round = agent; ; round++) {
                    Answer claimed = replicas.get(round % 3)
                            .post("/v1/queues/drain/claim", "{\"agent\":\"agent-" + agent + "\",\"max\":10}");
                    List<Map<String, Object>> items = claimed.json().getList("items");
                    if (items.isEmpty()) {
                        return mine;
                    }
                    for (Map<String, Object> item : items) {
                        String epoch = String.valueOf(((Map<?, ?>) item.get("lease")).get("epoch"));
                        Answer reported = replicas.get((round + 1) % 3)
                                .post(
                                        "/v1/delegations/" + item.get("id") + "/status",
                                        "{\"status\":\"completed\",\"epoch\":" + epoch + "}");
                        assertEquals(200, reported.status(), reported.body());
                        mine.add(item.get("id") + "/" + epoch);
                    }
                }
            });

            // then each was done exactly once, under its first epoch
            List<String> all = done.stream().flatMap(List::stream).toList();
            assertEquals(5_000, all.size());
            assertEquals(5_000, new HashSet<>(all).size());
            assertEquals(
                    "5000",
                    text(url, "select count(*)::text from delegation where status = 'completed' and epoch = 1"));
            assertEquals(
                    "5000", text(url, "select count(*)::text from delegation_event where to_status = 'completed'"));
            assertEquals("0", text(url, "select count(*)::text from lease"));
        }
    }

    @Test
    void aRedriveOfTwoThousandThatIsKilledHalfWayIsFinishedByTheNextStart() throws Exception {
        String url = PostgresResource.createDatabase();
        String redrive;
        try (var service = start(url)) {
            registerQueued(service, "redrive", 1_000);
            registerQueued(service, "redrive", 1_000);
            text(url, """
                    with failed as (
                        update delegation set status = 'failed', reason = 'operator', cause = 'operator',
                            finished_at = now(), due_at = null where queue = 'redrive' returning 1
                    ) select count(*)::text from failed
                    """);
            Answer begun = service.post("/v1/redrives", "{\"filter\":{\"queue\":\"redrive\"},\"perSecond\":300}");
            assertEquals(202, begun.status(), begun.body());
            redrive = begun.json().getString("id");
            await().atMost(Duration.ofSeconds(60)).until(() -> successors(url) >= 200);
            service.kill();
        }
        int whenKilled = successors(url);
        assertTrue(whenKilled < 2_000, "it was half-way: " + whenKilled);

        try (var service = start(url)) {
            await().atMost(Duration.ofSeconds(120))
                    .until(() -> service.get("/v1/redrives/" + redrive).json().getString("state"), "done"::equals);
            assertEquals(2_000, service.get("/v1/redrives/" + redrive).json().getInt("retried"));
        }
        assertEquals(2_000, successors(url));
        assertEquals(
                "2000", text(url, "select count(distinct retry_of)::text from delegation where retry_of is not null"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"+5m", "-5m"})
    void aReplicaWhoseClockIsFiveMinutesOffJudgesByTheDatabase(String offset) throws Exception {
        Optional<Path> library = LIBFAKETIME.stream().filter(Files::exists).findFirst();
        assumeTrue(library.isPresent(), "needs libfaketime: the Debian package faketime");
        Map<String, String> shifted = Map.of(
                "LD_PRELOAD",
                library.get().toString(),
                "FAKETIME",
                offset,
                "FAKETIME_DONT_FAKE_MONOTONIC",
                "1",
                "FAKETIME_FORCE_MONOTONIC_FIX",
                "0", // else every timed wait of the JVM returns at once
                "ROLLCALL_LEASE_HEARTBEAT_TIMEOUT",
                "PT1M");
        String url = PostgresResource.createDatabase();
        try (var service = PackagedService.start(url, directory, shifted, SMALL_JVM)) {
            // given a service whose own clock is off, as its log shows
            Instant logged = LocalDateTime.parse(service.log().stream()
                            .filter(line -> line.matches("\\d{4}-\\d\\d-\\d\\d .*"))
                            .reduce((earlier, later) -> later)
                            .orElseThrow()
                            .substring(0, 19)
                            .replace(' ', 'T'))
                    .atZone(ZoneId.systemDefault())
                    .toInstant();
            Duration off =
                    Duration.between(Instant.parse(text(url, NOW)), logged).abs();
            assertTrue(off.compareTo(Duration.ofMinutes(4)) > 0, "its clock is off by " + off);

            // when an agent has just beaten, and another one's lease has just run out by the database's clock
            var ids = service.register(2);
            ids.forEach(id -> assertEquals(200, service.beat(id).status()));
            text(
                    url,
                    "update lease set last_beat_at = now() - interval '61 seconds', stale_at = now() - interval '1 second'"
                            + " where delegation_id = '" + ids.get(1) + "' returning 'moved'");
            text(url, "update beat_acceptance set returned_at = now() - interval '1 day' returning 'moved'");
            Answer swept = service.post("/v1/sweeper/sweep", "{\"force\":true}");

            // then it judges as every other replica would
            assertEquals(1, swept.json().getInt("verdicts.stuck"), swept.body());
            assertEquals(
                    "in_progress",
                    service.get("/v1/delegations/" + ids.get(0)).json().getString("status"));
            assertEquals(
                    "stuck", service.get("/v1/delegations/" + ids.get(1)).json().getString("status"));
            Instant createdAt = Instant.parse(
                    service.get("/v1/delegations/" + ids.get(0)).json().getString("createdAt"));
            Duration age = Duration.between(createdAt, Instant.parse(text(url, NOW)));
            assertTrue(!age.isNegative() && age.compareTo(Duration.ofMinutes(2)) < 0, "its times are the database's");
        }
    }

    private PackagedService start(String url) {
        return PackagedService.start(url, directory, Map.of(), SMALL_JVM);
    }

    private static void registerQueued(PackagedService service, String queue, int count) {
        String items = String.join(
                ",",
                IntStream.range(0, count)
                        .mapToObj(i -> "{\"caller\":\"it\",\"task\":\"task\",\"queue\":\"" + queue + "\"}")
                        .toList());
        Answer answer = service.post("/v1/delegations/batch", "{\"items\":[" + items + "]}");
        assertEquals(201, answer.status(), answer.body());
    }

    private static int successors(String url) {
        return Integer.parseInt(text(url, "select count(*)::text from delegation where retry_of is not null"));
    }

    private static String text(String url, String sql) {
        return OwnPostgres.text(PostgresResource.dataSource(url), sql);
    }
}
