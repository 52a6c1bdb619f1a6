package io.rollcall.it;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rollcall.it.PackagedService.Answer;
import io.rollcall.testing.PostgresResource;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What only a process of its own can show: its environment, signals, and a database that goes away. */
class PackagedServiceIT {
    /** Until an answer must be there, and a little for the machine that runs the test. */
    private static final Duration ANSWER_LIMIT = Duration.ofMillis(5_500);

    private static final String MINUTES = "PT5M";

    private final ExecutorService threads = Executors.newCachedThreadPool();

    @TempDir
    Path directory;

    @AfterEach
    void stop() {
        threads.shutdownNow();
    }

    @Test
    void aTimeZoneOfItsOwnChangesNoTime() throws Exception {
        // given a service in Kathmandu, at UTC+05:45
        String url = PostgresResource.createDatabase();
        try (var service = PackagedService.start(url, directory, Map.of(), "-Duser.timezone=Asia/Kathmandu")) {
            Instant deadline = now(url).plus(2, ChronoUnit.HOURS);

            // when something is registered with a deadline
            Answer registered = service.post(
                    "/v1/delegations",
                    "{\"caller\": \"it\", \"task\": \"task\", \"deadlineAt\": \"%s\"}".formatted(deadline));

            // then all times are those of the database, in UTC, in the answer and in the row
            assertEquals(201, registered.status(), registered.body());
            String id = registered.json().getString("id");
            assertEquals(deadline, Instant.parse(registered.json().getString("deadlineAt")));
            Instant createdAt = Instant.parse(registered.json().getString("createdAt"));
            assertTrue(Duration.between(createdAt, now(url)).abs().compareTo(Duration.ofMinutes(1)) < 0);
            assertEquals(
                    deadline, instant(url, "select deadline_at from delegation where id = ?", UUID.fromString(id)));
            assertEquals(
                    createdAt, instant(url, "select created_at from delegation where id = ?", UUID.fromString(id)));
            assertTrue(registered.json().getString("createdAt").endsWith("Z"));

            // and a sweep finds it neither early nor late
            service.post("/v1/sweeper/sweep", "{}");
            assertEquals("queued", status(url, UUID.fromString(id)));
            OwnPostgres.text(
                    database(url),
                    "update delegation set deadline_at = now(), due_at = now() where id = ? returning id",
                    UUID.fromString(id));
            service.post("/v1/sweeper/sweep", "{}");
            assertEquals("failed", status(url, UUID.fromString(id)));
        }
    }

    @Test
    void olderNamesWorkAndATypoIsWarnedOfOnce() throws Exception {
        String url = PostgresResource.createDatabase();
        Map<String, String> environment =
                Map.of("DELEGATION_SWEEPER_INTERVAL_S", "7", "DELEGATION_STUCK_THRESHOLD_S", "soon");
        try (var service = PackagedService.start(url, directory, environment)) {
            Answer sweeper = service.get("/v1/sweeper");

            assertEquals(Duration.ofSeconds(7), Duration.parse(sweeper.json().getString("settings.interval")));
            assertEquals(Duration.ofMinutes(10), Duration.parse(sweeper.json().getString("settings.heartbeatTimeout")));
            List<String> warnings = service.log().stream()
                    .filter(line -> line.contains("DELEGATION_STUCK_THRESHOLD_S"))
                    .toList();
            assertEquals(1, warnings.size(), warnings.toString());
            assertTrue(warnings.get(0).contains("WARN"), warnings.toString());
        }
    }

    @Test
    void aFrozenServiceTakesNobodyForLostWhenItGoesOn() throws Exception {
        // given a lease time of two seconds, a sweep each second, and two agents that have begun
        String url = PostgresResource.createDatabase();
        Map<String, String> environment = Map.of(
                "ROLLCALL_SWEEPER_INTERVAL", "PT1S",
                "DELEGATION_SWEEPER_INTERVAL_S", "3600", // the newer name counts
                "ROLLCALL_LEASE_HEARTBEAT_TIMEOUT", "PT2S");
        try (var service = PackagedService.start(url, directory, environment)) {
            List<UUID> both = service.register(2);
            UUID alive = both.get(0);
            UUID silent = both.get(1);
            both.forEach(id -> assertEquals(200, service.beat(id).status()));

            // when the service freezes for longer than that, and longer than the five seconds of an outage
            service.signal("STOP");
            awaitDatabase(url, "select noted_at < now() - interval '7 seconds' from beat_acceptance");
            Instant thawed = now(url);
            service.signal("CONT");
            AtomicBoolean over = new AtomicBoolean();
            var beating = threads.submit(() -> {
                while (!over.get()) {
                    service.beat(alive);
                }
                return null;
            });

            // then the one that stays silent is stuck, but not before a whole lease time after the return
            await().atMost(Duration.ofSeconds(60)).until(() -> "stuck".equals(status(url, silent)));
            Instant returned = instant(url, "select returned_at from beat_acceptance");
            Instant stuck = instant(
                    url, "select at from delegation_event where delegation_id = ? and to_status = 'stuck'", silent);
            assertTrue(returned.isAfter(thawed), returned + " is not after " + thawed);
            assertTrue(Duration.between(returned, stuck).compareTo(Duration.ofSeconds(2)) > 0);

            // and the one that beats again never was
            assertEquals("in_progress", status(url, alive));
            over.set(true);
            beating.get(30, TimeUnit.SECONDS);
        }
    }

    @Test
    void whileTheDatabaseIsGoneEverythingIsAnswered503() throws Exception {
        try (var postgres = OwnPostgres.start(directory);
                var service = PackagedService.start(postgres.jdbcUrl(), directory, Map.of())) {
            UUID id = service.register(1).get(0);
            assertEquals(200, service.beat(id).status());

            postgres.stop();

            everythingIsAnswered503(service, id);
            notReadyButAlive(service);
            postgres.startAgain();
            isBackWithin20Seconds(service, id);
        }
    }

    @Test
    void whileTheDatabaseHangsEverythingIsAnswered503() throws Exception {
        try (var postgres = OwnPostgres.start(directory);
                var service = PackagedService.start(
                        postgres.jdbcUrl(), directory, Map.of("ROLLCALL_SWEEPER_INTERVAL", "PT1S"))) {
            UUID id = service.register(1).get(0);
            assertEquals(200, service.beat(id).status());

            postgres.freeze();
            try {
                everythingIsAnswered503(service, id);
                notReadyButAlive(service);
            } finally {
                postgres.thaw();
            }
            isBackWithin20Seconds(service, id);
        }
    }

    @Test
    void whatWaitsForAConnectionOrALockIsAnswered503() throws Exception {
        // given three connections, and a transaction of somebody else that holds a row
        String url = PostgresResource.createDatabase();
        Map<String, String> environment =
                Map.of("QUARKUS_DATASOURCE_JDBC_MAX_SIZE", "3", "ROLLCALL_SWEEPER_INTERVAL", MINUTES);
        try (var service = PackagedService.start(url, directory, environment);
                Connection holder = database(url).getConnection()) {
            UUID id = service.register(1).get(0);
            holder.setAutoCommit(false);
            try (PreparedStatement lock =
                    holder.prepareStatement("select id from delegation where id = ? for no key update")) {
                lock.setObject(1, id);
                lock.execute();
            }

            // when more reports than connections wait for that row
            List<CompletableFuture<Answer>> reports = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                reports.add(service.call(
                        "POST", "/v1/delegations/" + id + "/status", "{\"status\": \"completed\", \"epoch\": 1}"));
            }
            CompletableFuture<Answer> look = service.call("GET", "/v1/stats", null);

            // then each is told in time to come again, and nothing has changed
            for (CompletableFuture<Answer> report : reports) {
                assertUnavailable("a report", report.join());
            }
            assertTrue(
                    look.join().took().compareTo(ANSWER_LIMIT) < 0, look.join().toString());
            assertEquals("dispatched", status(url, id));

            // and once the row is free the report is taken
            holder.rollback();
            Answer again =
                    service.post("/v1/delegations/" + id + "/status", "{\"status\": \"completed\", \"epoch\": 1}");
            assertEquals(200, again.status(), again.body());
        }
    }

    @Test
    void stopsWithinTenSecondsAndChangesNobodysState() throws Exception {
        // given a service with agents that beat, and one that waits for work
        String url = PostgresResource.createDatabase();
        try (var service = PackagedService.start(url, directory, Map.of())) {
            List<UUID> ids = service.register(50);
            ids.forEach(id -> assertEquals(200, service.beat(id).status()));
            CompletableFuture<Answer> claim =
                    service.call("POST", "/v1/queues/it/claim", "{\"agent\": \"agent\", \"waitS\": 30}");
            AtomicBoolean over = new AtomicBoolean();
            var beating = threads.submit(() -> {
                while (!over.get()) {
                    ids.forEach(id -> service.call("POST", "/v1/delegations/" + id + "/heartbeat", "{\"epoch\": 1}")
                            .exceptionally(failure -> null)
                            .join());
                }
            });

            // when it is told to stop
            assertEquals(
                    200,
                    service.post("/v1/queues/it/claim", "{\"agent\": \"agent\"}")
                            .status());
            assertFalse(claim.isDone(), "it waits");
            service.signal("TERM");

            // then it says that it is not ready while it still answers,
            await().atMost(Duration.ofSeconds(3))
                    .pollInterval(Duration.ofMillis(20))
                    .until(() -> service.statusOf("/q/health/ready") == 503);
            // has ended in time, who waited got nothing, and no attempt has lost its lease
            assertTrue(service.endsWithin(Duration.ofSeconds(10)), "it lives on");
            assertEquals(200, claim.join().status());
            assertEquals(List.of(), claim.join().json().getList("items"));
            over.set(true);
            beating.get(60, TimeUnit.SECONDS);
            assertEquals(
                    "50",
                    OwnPostgres.text(database(url), "select count(*) from delegation where status = 'in_progress'"));
        }
    }

    @Test
    void aKillLosesNothingThatWasAcknowledged() throws Exception {
        // given eight agents that report the end of their work, one after the other
        String url = PostgresResource.createDatabase();
        var acknowledged = new ConcurrentLinkedQueue<UUID>();
        List<UUID> ids;
        try (var service = PackagedService.start(url, directory, Map.of())) {
            ids = new ArrayList<>(service.register(1_000));
            ids.addAll(service.register(1_000));
            for (int agent = 0; agent < 8; agent++) {
                List<UUID> own = ids.subList(agent * 250, agent * 250 + 250);
                threads.submit(() -> own.forEach(id -> report(service, id, acknowledged)));
            }

            // when the service is killed in the midst of it
            await().atMost(Duration.ofSeconds(60))
                    .pollInterval(Duration.ofMillis(10))
                    .until(() -> acknowledged.size() > 200);
            service.kill();
        }
        threads.shutdown();
        assertTrue(threads.awaitTermination(60, TimeUnit.SECONDS));

        // then what was answered has happened, with its history, and whatever happened is whole
        assertTrue(acknowledged.size() < ids.size(), "killed too late to show anything");
        for (UUID id : acknowledged) {
            assertEquals("completed", status(url, id));
        }
        assertEquals(
                OwnPostgres.text(database(url), "select count(*) from delegation where status = 'completed'"),
                OwnPostgres.text(database(url), "select count(*) from delegation_event where to_status = 'completed'"));
        assertEquals(
                OwnPostgres.text(database(url), "select count(*) from delegation where status = 'dispatched'"),
                OwnPostgres.text(database(url), "select count(*) from lease"));
    }

    private static void report(PackagedService service, UUID id, ConcurrentLinkedQueue<UUID> acknowledged) {
        service.call("POST", "/v1/delegations/" + id + "/status", "{\"status\": \"completed\", \"epoch\": 1}")
                .thenAccept(answer -> {
                    if (answer.status() == 200) {
                        acknowledged.add(id);
                    }
                })
                .exceptionally(failure -> null)
                .join();
    }

    /** One call of every kind, at once. */
    private static void everythingIsAnswered503(PackagedService service, UUID id) {
        String one = "/v1/delegations/" + id;
        Map<String, CompletableFuture<Answer>> answers = new LinkedHashMap<>();
        answers.put("register", service.call("POST", "/v1/delegations", "{\"caller\": \"it\", \"task\": \"task\"}"));
        answers.put(
                "register many",
                service.call(
                        "POST", "/v1/delegations/batch", "{\"items\": [{\"caller\": \"it\", \"task\": \"task\"}]}"));
        answers.put("list", service.call("GET", "/v1/delegations?status=stuck", null));
        answers.put("look", service.call("GET", one, null));
        answers.put("history", service.call("GET", one + "/events", null));
        answers.put("edit", service.call("PATCH", one, "{\"priority\": 3}"));
        answers.put("beat", service.call("POST", one + "/heartbeat", "{\"epoch\": 1}"));
        answers.put("report", service.call("POST", one + "/status", "{\"status\": \"completed\", \"epoch\": 1}"));
        answers.put("close", service.call("POST", one + "/status", "{\"status\": \"failed\", \"note\": \"why\"}"));
        answers.put("cancel", service.call("POST", one + "/cancel", "{}"));
        answers.put("retry", service.call("POST", one + "/retry", "{}"));
        answers.put("claim", service.call("POST", "/v1/queues/default/claim", "{\"agent\": \"agent\"}"));
        answers.put("queues", service.call("GET", "/v1/queues", null));
        answers.put("statistics", service.call("GET", "/v1/stats", null));
        answers.put("sweeper", service.call("GET", "/v1/sweeper", null));
        answers.put("sweep", service.call("POST", "/v1/sweeper/sweep", "{}"));
        CompletableFuture<Answer> many =
                service.call("POST", "/v1/heartbeats", "{\"items\": [{\"id\": \"%s\", \"epoch\": 1}]}".formatted(id));

        List<String> wrong = new ArrayList<>();
        answers.forEach((what, answer) -> collect(wrong, what, () -> assertUnavailable(what, answer.join())));
        collect(wrong, "beats in bulk", () -> {
            assertEquals("unavailable", many.join().json().getString("items[0].result"), "beats in bulk");
            assertInTime("beats in bulk", many.join());
        });
        assertTrue(wrong.isEmpty(), () -> String.join("\n", wrong));
    }

    private static void collect(List<String> wrong, String what, Runnable check) {
        try {
            check.run();
        } catch (AssertionError | RuntimeException e) {
            wrong.add(what + ": " + e);
        }
    }

    private static void assertUnavailable(String what, Answer answer) {
        assertEquals(503, answer.status(), what + ": " + answer);
        assertTrue(answer.hasHeader("retry-after"), what + ": " + answer);
        assertTrue(answer.body().contains("\"urn:rollcall:problem:unavailable\""), what + ": " + answer);
        assertInTime(what, answer);
    }

    private static void assertInTime(String what, Answer answer) {
        assertTrue(answer.took().compareTo(ANSWER_LIMIT) <= 0, what + " took " + answer.took());
    }

    private static void notReadyButAlive(PackagedService service) {
        await().atMost(Duration.ofSeconds(20)).until(() -> service.statusOf("/q/health/ready") == 503);
        assertEquals(200, service.statusOf("/q/health/live"));
    }

    private static void isBackWithin20Seconds(PackagedService service, UUID id) {
        await().atMost(Duration.ofSeconds(20)).until(() -> service.beat(id).status() == 200);
        await().atMost(Duration.ofSeconds(20)).until(() -> service.statusOf("/q/health/ready") == 200);
        assertEquals(200, service.statusOf("/v1/stats"));
        assertFalse(service.get("/v1/delegations/" + id).body().isEmpty());
    }

    private static void awaitDatabase(String url, String condition) {
        await().atMost(Duration.ofSeconds(60)).until(() -> "t".equals(OwnPostgres.text(database(url), condition)));
    }

    private static DataSource database(String url) {
        return PostgresResource.dataSource(url);
    }

    private static String status(String url, UUID id) {
        return OwnPostgres.text(database(url), "select status from delegation where id = ?", id);
    }

    private static Instant now(String url) {
        return instant(url, "select now()");
    }

    private static Instant instant(String url, String sql, Object... parameters) {
        String text = OwnPostgres.text(
                database(url),
                "select to_char(found.at at time zone 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"') from ("
                        + sql.replaceFirst("select (\\S+)", "select $1 as at") + ") found",
                parameters);
        return Instant.parse(text);
    }
}
