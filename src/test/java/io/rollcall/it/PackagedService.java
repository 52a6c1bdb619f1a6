package io.rollcall.it;

import static org.awaitility.Awaitility.await;

import io.restassured.path.json.JsonPath;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/** The packaged service as a process of its own, as somebody would run it. */
final class PackagedService implements AutoCloseable {
    private static final Path JAR = Path.of("target", "quarkus-app", "quarkus-run.jar");
    private static final Path LOGS = Path.of("target", "it-logs");
    private static final Duration START_LIMIT = Duration.ofSeconds(120);

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final Process process;
    private final String address;
    private final Path log;

    private PackagedService(Process process, int port, Path log) {
        this.process = process;
        this.address = "http://127.0.0.1:" + port;
        this.log = log;
    }

    /** Starts it on a free port and waits until it is ready. */
    static PackagedService start(
            String jdbcUrl, Path directory, Map<String, String> environment, String... jvmOptions) {
        try {
            int port = freePort();
            Path log = Files.createDirectories(LOGS)
                    .resolve("service-" + port + ".log")
                    .toAbsolutePath();
            List<String> command = new ArrayList<>();
            command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
            command.addAll(List.of(jvmOptions));
            command.addAll(List.of("-jar", JAR.toAbsolutePath().toString()));
            ProcessBuilder builder = new ProcessBuilder(command)
                    .directory(directory.toFile()) // no config/ or .env of ours
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile());
            Map<String, String> variables = builder.environment();
            variables.keySet().removeIf(name -> name.matches("(ROLLCALL|QUARKUS|DELEGATION)_.*"));
            variables.put("QUARKUS_DATASOURCE_JDBC_URL", jdbcUrl);
            variables.put("QUARKUS_DATASOURCE_USERNAME", "postgres");
            variables.put("QUARKUS_DATASOURCE_PASSWORD", "postgres");
            variables.put("QUARKUS_HTTP_HOST", "127.0.0.1");
            variables.put("QUARKUS_HTTP_PORT", String.valueOf(port));
            variables.put("QUARKUS_LOG_CONSOLE_JSON_ENABLED", "false");
            variables.putAll(environment);
            var service = new PackagedService(builder.start(), port, log);
            service.awaitReady();
            return service;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void awaitReady() {
        await("the service is ready").atMost(START_LIMIT).until(() -> {
            if (!process.isAlive()) {
                throw new AssertionError("The service ended: " + Files.readString(log));
            }
            return statusOf("/q/health/ready") == 200;
        });
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    /** An answer, and how long it took. */
    record Answer(int status, String body, Map<String, List<String>> headers, Duration took) {
        JsonPath json() {
            return JsonPath.from(body);
        }

        boolean hasHeader(String name) {
            return headers.containsKey(name);
        }
    }

    Answer get(String path) {
        return call("GET", path, null).join();
    }

    Answer post(String path, String body) {
        return call("POST", path, body).join();
    }

    /** Calls it; fails if it does not answer at all. */
    CompletableFuture<Answer> call(String method, String path, String body) {
        HttpRequest request = HttpRequest.newBuilder(URI.create(address + path))
                .header("Content-Type", "application/json")
                .timeout(Duration.ofSeconds(40))
                .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
                .build();
        long began = System.nanoTime();
        return http.sendAsync(request, BodyHandlers.ofString()).thenApply(response -> answer(response, began));
    }

    private static Answer answer(HttpResponse<String> response, long began) {
        return new Answer(
                response.statusCode(),
                response.body(),
                response.headers().map(),
                Duration.ofNanos(System.nanoTime() - began));
    }

    /** The status of a GET; 0 where nobody answers. */
    int statusOf(String path) {
        return call("GET", path, null)
                .thenApply(Answer::status)
                .exceptionally(failure -> 0)
                .join();
    }

    /** Registers direct ones that are never requeued. */
    List<UUID> register(int count) {
        String items = String.join(
                ",",
                IntStream.range(0, count)
                        .mapToObj(i -> "{\"caller\": \"it\", \"agent\": \"agent\", \"task\": \"task\"}")
                        .toList());
        Answer answer = post("/v1/delegations/batch", "{\"items\": [" + items + "]}");
        if (answer.status() != 201) {
            throw new AssertionError(answer.toString());
        }
        return answer.json().<String>getList("items.id").stream()
                .map(UUID::fromString)
                .toList();
    }

    /** A heartbeat under the first epoch. */
    Answer beat(UUID id) {
        return post("/v1/delegations/" + id + "/heartbeat", "{\"epoch\": 1}");
    }

    /** Sends it a signal: STOP, CONT, TERM. */
    void signal(String name) {
        Signals.send(name, process.pid());
    }

    /** Kills it, as {@code kill -9} does. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** Waits for its end; false if it lives on. */
    boolean endsWithin(Duration limit) throws InterruptedException {
        return process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** What it has logged so far. */
    List<String> log() {
        try {
            return Files.readAllLines(log);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() throws InterruptedException {
        if (process.isAlive()) {
            signal("CONT");
        }
        kill();
    }
}
