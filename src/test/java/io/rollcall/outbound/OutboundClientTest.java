package io.rollcall.outbound;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.vertx.core.Vertx;
import io.vertx.core.net.JksOptions;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Calls over real sockets; names lead where the test says. */
class OutboundClientTest {
    private static final String PASSWORD = "changeit";

    private final Vertx vertx = Vertx.vertx();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final AtomicInteger lookUps = new AtomicInteger();
    private final AtomicReference<String> hostSeen = new AtomicReference<>();
    private HttpServer server;

    @TempDir
    Path files;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(loopback(), 0);
    }

    @AfterEach
    void stop() throws Exception {
        server.stop(0);
        threads.shutdownNow();
        vertx.close().toCompletionStage().toCompletableFuture().get(30, TimeUnit.SECONDS);
    }

    @Test
    void callsTheAddressThatWasJudgedUnderTheNameThatWasGiven() throws Exception {
        serve(exchange -> answer(exchange, 201, "{\"a\":1}"));
        OutboundClient client = client(null);

        OutboundAnswer answer = call(client, "http://gate.example:" + port() + "/gate?x=1", 5);

        assertEquals(new OutboundAnswer(201, "{\"a\":1}"), answer);
        assertEquals("gate.example:" + port(), hostSeen.get());
        assertEquals(1, lookUps.get(), "looked up once");
    }

    @Test
    void speaksTlsToThatNameAndTakesNoOtherCertificate() throws Exception {
        // given a server with a certificate for gate.example, which is trusted here
        Path keys = keysFor("gate.example");
        server.stop(0);
        HttpsServer secure = HttpsServer.create(loopback(), 0);
        secure.setHttpsConfigurator(new HttpsConfigurator(context(keys)));
        server = secure;
        serve(exchange -> answer(exchange, 200, "{}"));
        OutboundClient client = client(new JksOptions().setPath(keys.toString()).setPassword(PASSWORD));

        // then it is called by that name, and by no other that leads to the same address
        assertEquals(
                200, call(client, "https://gate.example:" + port() + "/", 5).status());
        assertFails(client, "https://other.example:" + port() + "/");
        // and who does not trust it does not call it
        assertFails(client(null), "https://gate.example:" + port() + "/");
    }

    @Test
    void doesNotFollowRedirects() throws Exception {
        AtomicInteger calls = new AtomicInteger();
        serve(exchange -> {
            calls.incrementAndGet();
            exchange.getResponseHeaders().set("Location", "http://gate.example:" + port() + "/elsewhere");
            answer(exchange, 307, "");
        });

        assertEquals(
                307,
                call(client(null), "http://gate.example:" + port() + "/", 5).status());
        assertEquals(1, calls.get());
    }

    @Test
    void readsNoMoreThanSixtyFourKilobytes() throws Exception {
        serve(exchange -> {
            exchange.sendResponseHeaders(200, 0);
            byte[] chunk = new byte[8 * 1024];
            while (true) {
                exchange.getResponseBody().write(chunk); // until the client hangs up
            }
        });

        OutboundException failure = assertFails(client(null), "http://gate.example:" + port() + "/");

        assertTrue(failure.getMessage().contains("64 KiB"), failure::getMessage);
    }

    @Test
    void givesUpInTimeAlsoOnAnAnswerThatTricklesIn() throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        serve(exchange -> {
            exchange.sendResponseHeaders(200, 0);
            exchange.getResponseBody().write('{');
            exchange.getResponseBody().flush();
            await(end);
        });
        long since = System.nanoTime();

        OutboundException failure = assertFails(client(null), "http://gate.example:" + port() + "/");

        end.countDown();
        assertTrue(failure.getMessage().contains("in time"), failure::getMessage);
        assertFalse(failure.isPassing());
        assertTrue(Duration.ofNanos(System.nanoTime() - since).toMillis() < 4_000);
    }

    @Test
    void whoIsAwayMayBeBackInAMoment() {
        serve(exchange -> answer(exchange, 200, "{}"));
        int port = port();
        server.stop(0);

        assertTrue(
                assertFails(client(null), "http://gate.example:" + port + "/").isPassing());
    }

    private void serve(HttpHandler handler) {
        server.setExecutor(threads);
        server.createContext("/", exchange -> {
            hostSeen.set(exchange.getRequestHeaders().getFirst("Host"));
            handler.handle(exchange);
        });
        server.start();
    }

    private OutboundClient client(JksOptions trust) {
        OutboundTargets targets = new OutboundTargets(() -> true, host -> {
            lookUps.incrementAndGet();
            return List.of(InetAddress.getByName("127.0.0.1"));
        });
        return new OutboundClient(vertx, targets, trust);
    }

    private static OutboundAnswer call(OutboundClient client, String url, int seconds) {
        return client.post(new OutboundCall(
                        OutboundTarget.parse(url), Map.of(), "{\"question\":1}", Duration.ofSeconds(seconds)))
                .toCompletableFuture()
                .join();
    }

    private static OutboundException assertFails(OutboundClient client, String url) {
        CompletionException failure = assertThrows(CompletionException.class, () -> call(client, url, 1));
        return assertInstanceOf(OutboundException.class, failure.getCause());
    }

    private static void answer(HttpExchange exchange, int status, String body) throws IOException {
        try (exchange) {
            exchange.getRequestBody().readAllBytes();
            exchange.sendResponseHeaders(status, body.isEmpty() ? -1 : body.length());
            exchange.getResponseBody().write(body.getBytes(StandardCharsets.UTF_8));
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private int port() {
        return server.getAddress().getPort();
    }

    private static InetSocketAddress loopback() throws IOException {
        return new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0);
    }

    private Path keysFor(String name) throws Exception {
        Path keys = files.resolve(name + ".jks");
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        "gate",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=" + name,
                        "-ext",
                        "SAN=dns:" + name,
                        "-validity",
                        "2",
                        "-keystore",
                        keys.toString(),
                        "-storetype",
                        "JKS",
                        "-storepass",
                        PASSWORD,
                        "-keypass",
                        PASSWORD)
                .redirectErrorStream(true)
                .start();
        String said = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, keytool.waitFor(), said);
        // the same entry as a trusted certificate, too: a trust store holds no keys
        KeyStore store = load(keys);
        store.setCertificateEntry("trusted", store.getCertificate("gate"));
        try (var out = Files.newOutputStream(keys)) {
            store.store(out, PASSWORD.toCharArray());
        }
        return keys;
    }

    private static SSLContext context(Path keys) throws Exception {
        KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(load(keys), PASSWORD.toCharArray());
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(managers.getKeyManagers(), null, null);
        return context;
    }

    private static KeyStore load(Path keys) throws Exception {
        KeyStore store = KeyStore.getInstance("JKS");
        try (InputStream in = Files.newInputStream(keys)) {
            store.load(in, PASSWORD.toCharArray());
        }
        return store;
    }
}
