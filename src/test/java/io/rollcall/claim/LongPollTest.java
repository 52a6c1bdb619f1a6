package io.rollcall.claim;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quarkus.test.junit.QuarkusTest;
import io.rollcall.queue.Waiters;
import io.rollcall.testing.TestApi;
import io.rollcall.testing.TestDelegation;
import io.rollcall.testing.TestParallel;
import io.rollcall.testing.TestSql;
import jakarta.inject.Inject;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Waiting for work: woken at once, holding nothing, and never for those who have gone. */
@QuarkusTest
class LongPollTest {
    @Inject
    Waiters waiters;

    @Test
    void fiftyParkedPollersAreWokenAtOnceAndNoneWaitsOutItsPoll() throws Exception {
        String queue = TestApi.unique("queue");
        HttpClient http = HttpClient.newHttpClient();
        ConcurrentHashMap<UUID, Long> gotNanos = new ConcurrentHashMap<>();
        List<CompletableFuture<Void>> polls = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            polls.add(http.sendAsync(claim(queue, "agent-" + i, 30), HttpResponse.BodyHandlers.ofString())
                    .thenAccept(answer -> io.restassured.path.json.JsonPath.from(answer.body())
                            .getList("items.id", String.class)
                            .forEach(id -> gotNanos.put(UUID.fromString(id), System.nanoTime()))));
        }
        await().atMost(Duration.ofSeconds(20)).until(() -> waiters.count(queue) == 50);
        assertTrue(
                TestSql.count("select count(*) from pg_stat_activity where datname = current_database()"
                                + " and state <> 'idle' and pid <> pg_backend_pid()")
                        <= 2,
                "parked polls hold no connection");

        ConcurrentHashMap<UUID, Long> sentNanos = new ConcurrentHashMap<>();
        ScheduledExecutorService arrivals = Executors.newSingleThreadScheduledExecutor();
        for (int i = 0; i < 50; i++) {
            arrivals.schedule(
                    () -> {
                        TestDelegation work =
                                TestApi.queued().with("queue", queue).register();
                        sentNanos.put(work.id(), System.nanoTime());
                    },
                    50L * i,
                    TimeUnit.MILLISECONDS);
        }
        CompletableFuture.allOf(polls.toArray(CompletableFuture[]::new)).get(25, TimeUnit.SECONDS);
        arrivals.shutdown();
        assertTrue(arrivals.awaitTermination(10, TimeUnit.SECONDS));
        assertEquals(50, gotNanos.size(), "each got one");
        List<Long> millis = gotNanos.entrySet().stream()
                .map(got -> (got.getValue() - sentNanos.get(got.getKey())) / 1_000_000)
                .sorted()
                .toList();
        assertTrue(millis.get(25) < 100, "median of " + millis);
    }

    @Test
    void workWhoseTimeComesWhileAnAgentWaitsWakesIt() throws Exception {
        String queue = TestApi.unique("queue");
        TestDelegation work = TestApi.queued()
                .with("queue", queue)
                .with(
                        "availableAt",
                        TestSql.value(java.time.Instant.class, "select now() + interval '1 hour'")
                                .toString())
                .register();
        Future<List<UUID>> poll = TestParallel.begin(() -> TestApi.ids(TestApi.claim(queue, "a", "waitS", 30)));
        await().until(() -> waiters.count(queue) == 1);
        TestSql.execute("update delegation set available_at = now() where id = ?", work.id());
        assertEquals(List.of(work.id()), poll.get(10, TimeUnit.SECONDS));
    }

    @Test
    void anEmptyQueueIsAnsweredWhenTheWaitIsOver() {
        long startedNanos = System.nanoTime();
        assertTrue(TestApi.claim(TestApi.unique("queue"), "a", "waitS", 1)
                .getList("items")
                .isEmpty());
        assertTrue(System.nanoTime() - startedNanos >= 1_000_000_000L);
    }

    @Test
    void aCallerThatHasGoneClaimsNothing() throws Exception {
        String queue = TestApi.unique("queue");
        URI uri = uri("/");
        String body = "{\"agent\":\"gone\",\"waitS\":30}";
        try (Socket socket = new Socket(uri.getHost(), uri.getPort())) {
            OutputStream out = socket.getOutputStream();
            out.write(("POST /v1/queues/" + queue + "/claim HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
                            + "Content-Length: " + body.length() + "\r\n\r\n" + body)
                    .getBytes(StandardCharsets.US_ASCII));
            out.flush();
            await().until(() -> waiters.count(queue) == 1);
        }
        // the closed socket is noticed by the server's event loop; work that comes then stays where it is
        await().pollDelay(Duration.ofMillis(200)).until(() -> true);
        TestDelegation work = TestApi.queued().with("queue", queue).register();
        await().until(() -> waiters.count(queue) == 0);
        assertEquals("queued", work.status());
        assertEquals(List.of(work.id()), TestApi.ids(TestApi.claim(queue, "here")));
        assertEquals(1, work.events("transition").size());
    }

    private static HttpRequest claim(String queue, String agent, int waitS) {
        return HttpRequest.newBuilder(uri("/v1/queues/" + queue + "/claim"))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString("{\"agent\":\"" + agent + "\",\"waitS\":" + waitS + "}"))
                .build();
    }

    private static URI uri(String path) {
        return URI.create(io.restassured.RestAssured.baseURI + ":" + io.restassured.RestAssured.port + path);
    }
}
