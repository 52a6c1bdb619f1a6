package io.rollcall.liveness;

import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Set;

/**
 * Asks the kernel about processes of this machine, as far as this process can see them: the same boot, and the same
 * process namespace.
 */
@Singleton
class ProcessProbe implements LivenessProbe {
    /** Ended, and only remembered until its parent asks; the kernel shows dead ones in two ways. */
    private static final Set<String> ENDED = Set.of("Z", "X", "x");

    /** Fields are counted from the state on, which follows the name: state is number 3 of the manual, this one 22. */
    private static final int START_TICKS = 22 - 3;

    private final Path proc;
    private final long self;

    @Inject
    ProcessProbe() {
        this(Path.of("/proc"), ProcessHandle.current().pid());
    }

    /** The same elsewhere: {@code self} is the number that {@code proc} has to give to this process. */
    ProcessProbe(Path proc, long self) {
        this.proc = proc;
        this.self = self;
    }

    @Override
    public Liveness ask(Probe probe) {
        try {
            return probe instanceof Probe.OfProcess process && isWithinSight(process)
                    ? look(process)
                    : Liveness.UNKNOWN;
        } catch (IOException | RuntimeException e) {
            return Liveness.UNKNOWN;
        }
    }

    /**
     * Where {@code /proc} hides the processes of others, or belongs to another namespace, that something is not there
     * means nothing: the first process of a namespace always is.
     */
    private boolean isWithinSight(Probe.OfProcess process) throws IOException {
        return process.bootId()
                        .equals(Files.readString(proc.resolve("sys/kernel/random/boot_id"))
                                .strip())
                && process.pidNamespace()
                        .equals(Files.readSymbolicLink(proc.resolve("self/ns/pid"))
                                .toString())
                && Files.readSymbolicLink(proc.resolve("self")).toString().equals(String.valueOf(self))
                && Files.isReadable(stat(1));
    }

    private Liveness look(Probe.OfProcess process) throws IOException {
        String stat;
        try {
            stat = Files.readString(stat(process.pid()));
        } catch (NoSuchFileException e) {
            return Liveness.DEAD;
        }
        String[] fields = stat.substring(stat.lastIndexOf(')') + 1).strip().split(" ", -1);
        boolean another = Long.parseLong(fields[START_TICKS]) != process.startTicks();
        return another || ENDED.contains(fields[0]) ? Liveness.DEAD : Liveness.ALIVE;
    }

    private Path stat(long pid) {
        return proc.resolve(String.valueOf(pid)).resolve("stat");
    }
}
