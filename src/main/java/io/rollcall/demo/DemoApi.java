package io.rollcall.demo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Executor;

/** The service's HTTP API as an agent uses it. */
final class DemoApi {
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final URI service;
    private final ObjectMapper json;
    private final HttpClient http;

    DemoApi(URI service, ObjectMapper json, Executor executor) {
        this.service = service;
        this.json = json;
        this.http = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(PATIENCE)
                .executor(executor)
                .build();
    }

    /** An answer. */
    record Answer(int status, JsonNode body) {
        boolean isSuccess() {
            return status / 100 == 2;
        }

        /** Whether the same request may succeed later. */
        boolean isForLater() {
            return status / 100 == 5 || status == 429;
        }
    }

    URI service() {
        return service;
    }

    Answer post(String path, Map<String, ?> body) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(service + path))
                .timeout(PATIENCE)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofByteArray(json.writeValueAsBytes(body)))
                .build();
        var response = http.send(request, BodyHandlers.ofByteArray());
        return new Answer(response.statusCode(), json.readTree(response.body()));
    }
}
