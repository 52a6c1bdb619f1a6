package io.rollcall.boot.embedded;

import io.rollcall.boot.EmbeddedDatabase;
import io.rollcall.boot.EmbeddedDatabaseException;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * A PostgreSQL of its own below one directory, kept between runs.
 *
 * <p>It listens on the loopback address alone, without a Unix socket, and asks for a password even there (SCRAM): trust
 * would make every user of the machine a superuser of the server, and with {@code COPY … TO PROGRAM} the owner of this
 * account. The password is random, made before {@code initdb} so that there is no moment without it, and lies in a file
 * only the owner can read. The service itself works with a role that is no superuser.
 *
 * <p>A server that outlived its service ({@code kill -9}) is found through {@code postmaster.pid} and joined. Several
 * services in one directory share one server; the last one to leave stops it.
 */
public final class ZonkyDatabase implements EmbeddedDatabase {
    private static final Logger LOG = Logger.getLogger(ZonkyDatabase.class);

    /** Recovery after a crash may take its time. */
    private static final Duration START_LIMIT = Duration.ofSeconds(60);

    private static final long POLL_MILLIS = 100;

    @Override
    public Server start(Path directory) {
        Path home = directory.toAbsolutePath().normalize();
        try {
            ServerDirectory files = ServerDirectory.open(home);
            SharedUse use = SharedUse.of(files.users());
            try (FileLock turn = use.turn()) {
                Server server = startOrJoin(files, use);
                use.join();
                LOG.infof("Embedded PostgreSQL at %s, files in %s", server.jdbcUrl(), home);
                return server;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new EmbeddedDatabaseException(home, "interrupted", e);
        } catch (IOException | SQLException | RuntimeException | ExceptionInInitializerError e) {
            throw new EmbeddedDatabaseException(home, e.toString(), e);
        }
    }

    private static Server startOrJoin(ServerDirectory files, SharedUse use)
            throws IOException, SQLException, InterruptedException {
        String password = files.password();
        Optional<Postmaster> living = joinable(files, password);
        if (living.isPresent()) {
            return new ZonkyServer(use, living.get(), new Sessions(living.get().port(), password), null);
        }
        files.putUnfinishedDataAside();
        EmbeddedPostgres started = start(files, password);
        Sessions sessions = new Sessions(started.getPort(), password);
        Postmaster postmaster = Postmaster.livingIn(files.data()).orElseThrow();
        sessions.createDatabase();
        return new ZonkyServer(use, postmaster, sessions, started);
    }

    /** A server that is just starting or stopping is waited for. */
    private static Optional<Postmaster> joinable(ServerDirectory files, String password)
            throws IOException, InterruptedException {
        long giveUpAt = System.nanoTime() + START_LIMIT.toNanos();
        Optional<Postmaster> living = Postmaster.livingIn(files.data());
        while (living.isPresent() && !new Sessions(living.get().port(), password).accepted()) {
            if (System.nanoTime() - giveUpAt > 0) {
                throw new IOException("process %d lives there and takes no connections"
                        .formatted(living.get().process().pid()));
            }
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
            living = Postmaster.livingIn(files.data());
        }
        return living;
    }

    private static EmbeddedPostgres start(ServerDirectory files, String password) throws IOException {
        return EmbeddedPostgres.builder()
                .setOverrideWorkingDirectory(files.programs().toFile())
                .setDataDirectory(files.data())
                .setCleanDataDirectory(false)
                .setDataDirectoryCustomizer(data -> markInitialized(files))
                // Ours stops the server, after Quarkus.
                .setRegisterShutdownHook(false)
                .setPGStartupWait(START_LIMIT)
                // The only door to the options of initdb; the later --auth wins over zonky's trust.
                .setLocaleConfig("auth", "scram-sha-256")
                .setLocaleConfig("pwfile", files.passwordFile().toString())
                .setLocaleConfig("locale", "C")
                .setLocaleConfig("locale-provider", "builtin")
                .setLocaleConfig("builtin-locale", "C.UTF-8")
                .setConnectConfig("password", password)
                .setServerConfig("listen_addresses", "127.0.0.1")
                .setServerConfig("unix_socket_directories", "")
                // zonky turns both off.
                .setServerConfig("fsync", "on")
                .setServerConfig("synchronous_commit", "on")
                .setServerConfig("max_connections", "100")
                .setServerConfig("shared_buffers", "128MB")
                .setErrorRedirector(ProcessBuilder.Redirect.appendTo(files.log().toFile()))
                .setOutputRedirector(
                        ProcessBuilder.Redirect.appendTo(files.log().toFile()))
                .start();
    }

    private static void markInitialized(ServerDirectory files) {
        try {
            files.markInitialized();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A server in use; {@code started} is missing where it was found running. */
    private record ZonkyServer(
            SharedUse use,
            Postmaster postmaster,
            Sessions sessions,
            @Nullable EmbeddedPostgres started) implements Server {
        @Override
        public String jdbcUrl() {
            return "jdbc:postgresql://127.0.0.1:%d/%s".formatted(sessions.port(), Sessions.SERVICE);
        }

        @Override
        public String username() {
            return Sessions.SERVICE;
        }

        @Override
        public String password() {
            return sessions.password();
        }

        @Override
        public void close() {
            try (use;
                    FileLock turn = use.turn()) {
                if (use.leave() && postmaster.isAlive()) {
                    stop();
                }
            } catch (IOException | SQLException e) {
                LOG.warnf(
                        e,
                        "The embedded PostgreSQL, process %d, runs on",
                        postmaster.process().pid());
            }
        }

        private void stop() throws IOException, SQLException {
            if (started != null) {
                started.close();
            } else {
                sessions.endOthers();
                postmaster.stop();
            }
        }
    }
}
