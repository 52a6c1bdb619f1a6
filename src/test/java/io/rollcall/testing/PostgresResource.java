package io.rollcall.testing;

import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A real PostgreSQL for the tests: one server a JVM, a fresh database for every start of Quarkus (every test profile).
 * Registered in {@code META-INF/services}, so that no test has to name it.
 *
 * <p>Quarkus loads this class in several class loaders: what they share stands in system properties.
 */
public final class PostgresResource implements QuarkusTestResourceLifecycleManager {
    private static final String SERVER_URL = "rollcall.test.postgres.server-url";
    private static final String CURRENT_URL = "rollcall.test.postgres.current-url";
    private static final String USER = "postgres";

    @Override
    public Map<String, String> start() {
        String url = createDatabase();
        System.setProperty(CURRENT_URL, url);
        return Map.of(
                "quarkus.datasource.jdbc.url",
                url,
                "quarkus.datasource.username",
                USER,
                // The server trusts the loopback; the pool wants to see a password all the same.
                "quarkus.datasource.password",
                USER);
    }

    @Override
    public void stop() {
        // The server ends with the JVM, and its files with it.
        System.clearProperty(CURRENT_URL);
    }

    /** The JDBC URL of the database that the running Quarkus uses. */
    public static String jdbcUrl() {
        String url = System.getProperty(CURRENT_URL);
        if (url == null) {
            throw new IllegalStateException("no Quarkus test is running: use createDatabase()");
        }
        return url;
    }

    /** Further connections to the database that the running Quarkus uses; one new connection a call, no pool. */
    public static DataSource dataSource() {
        return dataSource(jdbcUrl());
    }

    /** Connections to a database made by {@link #createDatabase()}. */
    public static DataSource dataSource(String jdbcUrl) {
        var source = new PGSimpleDataSource();
        source.setUrl(jdbcUrl);
        source.setUser(USER);
        return source;
    }

    /** A new, empty database on the server of this JVM, for a test that needs no Quarkus; its JDBC URL. */
    public static String createDatabase() {
        String server = serverUrl();
        String name = "test_" + UUID.randomUUID().toString().replace("-", "");
        try (Connection connection = dataSource(server + USER).getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("create database " + name);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        return server + name;
    }

    /** Locked on a class of the JDK: our own exist once in each class loader. */
    private static String serverUrl() {
        synchronized (System.class) {
            String url = System.getProperty(SERVER_URL);
            if (url == null) {
                url = startServer();
                System.setProperty(SERVER_URL, url);
            }
            return url;
        }
    }

    /** Fast and forgetful: zonky starts it with {@code fsync=off}. Below this parent it clears away what dead JVMs left. */
    private static String startServer() {
        Path parent = Path.of(System.getProperty("java.io.tmpdir"), "embedded-pg");
        try {
            EmbeddedPostgres server = EmbeddedPostgres.builder()
                    .setDataDirectory(parent.resolve(UUID.randomUUID().toString()))
                    .setLocaleConfig("locale", "C")
                    .setServerConfig("listen_addresses", "127.0.0.1")
                    .setServerConfig("unix_socket_directories", "")
                    .setServerConfig("full_page_writes", "off")
                    // A machine that builds several things at once needs more than zonky's 10 s.
                    .setPGStartupWait(Duration.ofMinutes(2))
                    .start();
            return "jdbc:postgresql://127.0.0.1:%d/".formatted(server.getPort());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
