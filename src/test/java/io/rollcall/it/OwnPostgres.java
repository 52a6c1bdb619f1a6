package io.rollcall.it;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.stream.Stream;
import javax.sql.DataSource;

/** A PostgreSQL of its own for one test, which may freeze it, stop it, and bring it back. */
final class OwnPostgres implements AutoCloseable {
    private final Path data;
    private EmbeddedPostgres server;
    private final int port;

    private OwnPostgres(Path data) {
        this.data = data;
        this.server = startOn(data, 0);
        this.port = server.getPort();
    }

    /** Starts one with its files below a folder. */
    static OwnPostgres start(Path directory) {
        return new OwnPostgres(directory.resolve("data"));
    }

    private static EmbeddedPostgres startOn(Path data, int port) {
        try {
            EmbeddedPostgres.Builder builder = EmbeddedPostgres.builder()
                    .setDataDirectory(data)
                    .setCleanDataDirectory(false)
                    .setLocaleConfig("locale", "C")
                    .setServerConfig("listen_addresses", "127.0.0.1")
                    .setServerConfig("unix_socket_directories", "")
                    .setServerConfig("synchronous_commit", "on");
            return (port == 0 ? builder : builder.setPort(port)).start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    String jdbcUrl() {
        return "jdbc:postgresql://127.0.0.1:" + port + "/postgres";
    }

    /** Stops every process of it where it stands: connections stay open and nobody answers. */
    void freeze() {
        processes().forEach(pid -> Signals.send("STOP", pid));
    }

    /** Lets it go on. */
    void thaw() {
        processes().forEach(pid -> Signals.send("CONT", pid));
    }

    /** Ends it. */
    void stop() {
        try {
            server.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Starts it again where it was, with what it had. */
    void startAgain() {
        server = startOn(data, port);
    }

    /** The first, then those that it has started. */
    private Stream<Long> processes() {
        try {
            long postmaster = Long.parseLong(
                    Files.readAllLines(data.resolve("postmaster.pid")).get(0).strip());
            ProcessHandle first = ProcessHandle.of(postmaster).orElseThrow();
            return Stream.concat(Stream.of(first), first.descendants()).map(ProcessHandle::pid);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    DataSource dataSource() {
        return server.getPostgresDatabase();
    }

    /** The one value that a query finds. */
    static String text(DataSource database, String sql, Object... parameters) {
        try (Connection connection = database.getConnection();
                PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < parameters.length; i++) {
                statement.setObject(i + 1, parameters[i]);
            }
            try (ResultSet rows = statement.executeQuery()) {
                return rows.next() ? rows.getString(1) : null;
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        stop();
    }
}
