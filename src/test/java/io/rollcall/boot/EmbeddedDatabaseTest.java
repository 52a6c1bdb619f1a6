package io.rollcall.boot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ServiceLoader;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** The embedded server over restarts, good and bad. */
@DisabledIfSystemProperty(
        named = "rollcall.build.embedded-skipped",
        matches = "true",
        disabledReason = "package for production")
class EmbeddedDatabaseTest {
    private final EmbeddedDatabase database =
            ServiceLoader.load(EmbeddedDatabase.class).findFirst().orElseThrow();

    /** One for all tests: to unpack and initialise takes seconds. */
    @TempDir
    static Path directory;

    @Test
    void keepsDataOverRestartsAndIsDurableAndClosedToStrangers() throws Exception {
        try (var server = database.start(directory.resolve("pg"))) {
            execute(server, "create table durable (word text)");
            execute(server, "insert into durable values ('here')");
            assertEquals("on", query(server, "show fsync"));
            assertEquals("on", query(server, "show synchronous_commit"));
            assertEquals("off", query(server, "show is_superuser"));
            assertEquals("127.0.0.1", query(server, "show listen_addresses"));
            assertThrows(
                    SQLException.class,
                    () -> DriverManager.getConnection(server.jdbcUrl(), server.username(), "guess")
                            .close());
        }
        try (var server = database.start(directory.resolve("pg"))) {
            assertEquals("here", query(server, "select word from durable"));
        }
        assertTrue(Files.notExists(postmasterPid()), "the server has stopped");
    }

    @Test
    void sharesTheServerAndStopsItWhenTheLastServiceLeavesEvenAfterAKill() throws Exception {
        Process other = startInAnotherProcess(directory.resolve("pg"));
        try (var server = database.start(directory.resolve("pg"))) {
            execute(server, "create table shared (word text)");
        }
        assertTrue(Files.exists(postmasterPid()), "the other process still uses the server");

        other.destroyForcibly().waitFor();
        assertTrue(Files.exists(postmasterPid()), "the server outlived the kill");

        try (var server = database.start(directory.resolve("pg"))) {
            assertEquals("0", query(server, "select count(*) from shared"));
        }
        assertTrue(Files.notExists(postmasterPid()), "the server has stopped");
    }

    @Test
    void putsTheRestsOfAnInterruptedInitdbAside() throws Exception {
        Path home = directory.resolve("pg");
        database.start(home).close();
        Files.delete(home.resolve("initialized"));

        try (var server = database.start(home);
                var files = Files.list(home)) {
            assertEquals("1", query(server, "select 1"));
            assertTrue(files.anyMatch(file -> file.getFileName().toString().startsWith("unfinished-")));
        }
    }

    /** Starts the server for a service that will be killed. */
    static final class OtherService {
        public static void main(String... args) throws Exception {
            ServiceLoader.load(EmbeddedDatabase.class).findFirst().orElseThrow().start(Path.of(args[0]));
            System.out.println("STARTED");
            new CountDownLatch(1).await();
        }
    }

    private static Process startInAnotherProcess(Path home) throws IOException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        OtherService.class.getName(),
                        home.toString())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        var output = process.inputReader();
        String line = output.readLine();
        while (line != null && !line.equals("STARTED")) {
            line = output.readLine();
        }
        assertEquals("STARTED", line);
        return process;
    }

    private Path postmasterPid() {
        return directory.resolve("pg/data/postmaster.pid");
    }

    private static void execute(EmbeddedDatabase.Server server, String sql) throws SQLException {
        try (Connection connection = connect(server);
                var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static String query(EmbeddedDatabase.Server server, String sql) throws SQLException {
        try (Connection connection = connect(server);
                var statement = connection.createStatement();
                var rows = statement.executeQuery(sql)) {
            assertTrue(rows.next());
            return rows.getString(1);
        }
    }

    private static Connection connect(EmbeddedDatabase.Server server) throws SQLException {
        return DriverManager.getConnection(server.jdbcUrl(), server.username(), server.password());
    }
}
