package io.rollcall.testing;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.awaitility.Awaitility;

/** Real processes, as agents are. */
public final class TestProcess implements AutoCloseable {
    private final Process process;
    private final long pid;

    private TestProcess(Process process, long pid) {
        this.process = process;
        this.pid = pid;
    }

    /** One that does nothing for a long time. */
    public static TestProcess start() {
        Process process = started("exec sleep 600");
        return new TestProcess(process, process.pid());
    }

    /** One that has ended, while its parent, which lives, never asks how. */
    public static TestProcess zombie() {
        Process parent = started("exec 3<&0; cat <&3 & echo $!; exec sleep 600");
        try (BufferedReader out = parent.inputReader(StandardCharsets.US_ASCII)) {
            TestProcess zombie = new TestProcess(parent, Long.parseLong(out.readLine()));
            Awaitility.await("a parent that knows nothing of its child")
                    .until(() -> Files.readString(Path.of("/proc", String.valueOf(parent.pid()), "comm"))
                            .startsWith("sleep"));
            parent.getOutputStream().close();
            Awaitility.await("a zombie").until(() -> stat(zombie.pid)[0].equals("Z"));
            return zombie;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Process started(String script) {
        try {
            return new ProcessBuilder("sh", "-c", script)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** How it describes itself; a map that may be changed. */
    public Map<String, Object> probe() {
        try {
            Map<String, Object> probe = new LinkedHashMap<>();
            probe.put("kind", "process");
            probe.put(
                    "bootId",
                    Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).strip());
            probe.put(
                    "pidNamespace",
                    Files.readSymbolicLink(Path.of("/proc/self/ns/pid")).toString());
            probe.put("pid", pid);
            probe.put("startTicks", Long.parseLong(stat(pid)[19]));
            return probe;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Kills it, as {@code kill -9} does, and waits until it is gone. */
    public void kill() {
        try {
            process.destroyForcibly().waitFor();
            Awaitility.await("its end").until(() -> !Files.exists(Path.of("/proc", String.valueOf(process.pid()))));
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        kill();
    }

    /** What follows the name: the state first. */
    private static String[] stat(long pid) throws IOException {
        String stat = Files.readString(Path.of("/proc", String.valueOf(pid), "stat"));
        return stat.substring(stat.lastIndexOf(')') + 2).split(" ");
    }
}
