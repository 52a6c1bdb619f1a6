package io.rollcall.testing;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A gate over real HTTP that says what the test wants it to say. */
public final class GateServer implements AutoCloseable {
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<Asked> asked = new CopyOnWriteArrayList<>();
    private volatile CountDownLatch released = new CountDownLatch(0);
    private volatile int status;
    private volatile Map<String, String> headers = Map.of();
    private volatile String body = "";
    private HttpServer server;

    /** What it was asked. */
    public record Asked(String method, String path, Map<String, List<String>> headers, String body) {}

    /** One that lets everything pass. */
    public GateServer() {
        passes(true);
        start(0);
    }

    /** Lets everything pass, or nothing. */
    public GateServer passes(boolean pass) {
        return answers(200, "{\"pass\": " + pass + "}");
    }

    /** Lets nothing pass, and says why. */
    public GateServer rejects(String detail) {
        return answers(200, "{\"pass\": false, \"detail\": \"" + detail + "\"}");
    }

    /** Answers whatever. */
    public GateServer answers(int newStatus, String newBody) {
        status = newStatus;
        body = newBody;
        return this;
    }

    /** With a header. */
    public GateServer with(String header, String value) {
        headers = Map.of(header, value);
        return this;
    }

    /** Answers nothing until {@link #release()}. */
    public GateServer hold() {
        released = new CountDownLatch(1);
        return this;
    }

    /** Answers what it was asked, and from now on at once. */
    public GateServer release() {
        released.countDown();
        return this;
    }

    /** Nobody listens any more. */
    public GateServer goAway() {
        server.stop(0);
        return this;
    }

    /** Somebody listens again, at the same address. */
    public GateServer comeBack() {
        start(server.getAddress().getPort());
        return this;
    }

    /** Where it is. */
    public String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/gate";
    }

    /** What it was asked, in order. */
    public List<Asked> asked() {
        return asked;
    }

    @Override
    public void close() {
        released.countDown();
        server.stop(0);
        threads.shutdownNow();
    }

    private void start(int port) {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), port), 100);
            server.setExecutor(threads);
            server.createContext("/", this::answer);
            server.start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            asked.add(new Asked(
                    exchange.getRequestMethod(),
                    exchange.getRequestURI().toString(),
                    Map.copyOf(exchange.getRequestHeaders()),
                    new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8)));
            released.await();
            headers.forEach(exchange.getResponseHeaders()::set);
            byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
            exchange.getResponseBody().write(bytes);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
