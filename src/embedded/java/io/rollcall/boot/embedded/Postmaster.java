package io.rollcall.boot.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A server process, as the {@code postmaster.pid} in its data directory names it. */
record Postmaster(ProcessHandle process, int port) {
    private static final int PORT_LINE = 3;
    private static final long STOP_LIMIT_SECONDS = 30;

    /** The server that lives in this directory, if there is one. */
    static Optional<Postmaster> livingIn(Path data) throws IOException {
        Path pidFile = data.resolve("postmaster.pid");
        if (Files.notExists(pidFile)) {
            return Optional.empty();
        }
        List<String> lines = Files.readAllLines(pidFile);
        if (lines.size() <= PORT_LINE) {
            return Optional.empty();
        }
        Optional<ProcessHandle> process =
                ProcessHandle.of(Long.parseLong(lines.get(0).strip())).filter(ProcessHandle::isAlive);
        if (process.isPresent() && !isPostgres(process.get())) {
            // Its number went to another program (quick in containers); PostgreSQL itself would refuse to start.
            Files.delete(pidFile);
            return Optional.empty();
        }
        int port = Integer.parseInt(lines.get(PORT_LINE).strip());
        return process.map(handle -> new Postmaster(handle, port));
    }

    private static boolean isPostgres(ProcessHandle process) {
        return process.info()
                .command()
                .map(command -> command.contains("postgres"))
                .orElse(true);
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** Asks for the "smart" shutdown, which waits for sessions: end those first. */
    void stop() throws IOException {
        process.destroy();
        try {
            process.onExit().get(STOP_LIMIT_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException | ExecutionException e) {
            throw new IOException("the server did not stop", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
