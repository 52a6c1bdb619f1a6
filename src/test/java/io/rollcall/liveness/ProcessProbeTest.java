package io.rollcall.liveness;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.rollcall.testing.TestProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Real processes; and a {@code /proc} of our own for what this machine does not show. */
class ProcessProbeTest {
    private static final long SELF = 42;
    private static final String NAMESPACE = "pid:[4026531836]";

    private final ProcessProbe probe = new ProcessProbe();

    @TempDir
    Path proc;

    @Test
    void aLivingProcessIsAlive() {
        try (TestProcess agent = TestProcess.start()) {
            assertEquals(Liveness.ALIVE, probe.ask(of(agent.probe())));
        }
    }

    @Test
    void aKilledProcessIsDead() {
        TestProcess agent = TestProcess.start();
        Probe described = of(agent.probe());
        agent.kill();

        assertEquals(Liveness.DEAD, probe.ask(described));
    }

    @Test
    void aZombieIsDead() {
        try (TestProcess agent = TestProcess.zombie()) {
            assertEquals(Liveness.DEAD, probe.ask(of(agent.probe())));
        }
    }

    @Test
    void aProcessThatGotTheNumberOfAnotherIsNotThatOne() {
        try (TestProcess stranger = TestProcess.start()) {
            Map<String, Object> agent = stranger.probe();
            agent.put("startTicks", (Long) agent.get("startTicks") - 1);

            assertEquals(Liveness.DEAD, probe.ask(of(agent)));
        }
    }

    @ParameterizedTest
    @CsvSource({"bootId, 01234567-89ab-4cde-8f01-23456789abcd", "pidNamespace, pid:[1]"})
    void ofAnotherBootOrNamespaceNothingIsKnown(String field, String value) {
        TestProcess agent = TestProcess.start();
        Map<String, Object> described = agent.probe();
        described.put(field, value);

        assertEquals(Liveness.UNKNOWN, probe.ask(of(described)), "while it lives");
        agent.kill();
        assertEquals(Liveness.UNKNOWN, probe.ask(of(described)), "and after");
    }

    @Test
    void ofPodsNothingIsKnown() {
        assertEquals(Liveness.UNKNOWN, probe.ask(new Probe.OfPod("default", "agent", "uid")));
    }

    @Test
    void whereThereIsNoProcNothingIsKnown() {
        assertEquals(Liveness.UNKNOWN, new ProcessProbe(proc.resolve("none"), SELF).ask(inOurProc()));
    }

    @Test
    void whatIsNotThereIsDeadOnlyWhereProcessesOfOthersCanBeSeen() throws IOException {
        ourProc(SELF);
        assertEquals(Liveness.DEAD, ask());

        // as with hidepid: even the first process is not there
        Files.delete(proc.resolve("1/stat"));
        assertEquals(Liveness.UNKNOWN, ask());
    }

    @Test
    void aProcOfAnotherNamespaceProvesNothing() throws IOException {
        ourProc(SELF + 1);
        Files.createDirectory(proc.resolve(String.valueOf(SELF)));

        assertEquals(Liveness.UNKNOWN, ask());
    }

    @ParameterizedTest
    @ValueSource(strings = {"S", "R", "D", "T", "t", "I"})
    void itsNameIsNotTakenForItsState(String state) throws IOException {
        ourProc(SELF);
        stat(7, "7 (a) Z 1 (b) " + state + fieldsUpTo(9));

        assertEquals(Liveness.ALIVE, ask());
    }

    @ParameterizedTest
    @ValueSource(strings = {"Z", "X", "x"})
    void oneThatHasEndedIsDeadThoughItIsListed(String state) throws IOException {
        ourProc(SELF);
        stat(7, "7 (agent) " + state + fieldsUpTo(9));

        assertEquals(Liveness.DEAD, ask());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "7 (agent) S 1", "nonsense"})
    void whatCannotBeReadProvesNothing(String text) throws IOException {
        ourProc(SELF);
        stat(7, text);

        assertEquals(Liveness.UNKNOWN, ask());
    }

    private Liveness ask() {
        return new ProcessProbe(proc, SELF).ask(inOurProc());
    }

    private static Probe inOurProc() {
        return new Probe.OfProcess("boot", NAMESPACE, 7L, 9L);
    }

    private void ourProc(long self) throws IOException {
        Files.createDirectories(proc.resolve("sys/kernel/random"));
        Files.writeString(proc.resolve("sys/kernel/random/boot_id"), "boot\n");
        Path own = Files.createDirectories(proc.resolve(self + "/ns"));
        Files.createSymbolicLink(own.resolve("pid"), Path.of(NAMESPACE));
        Files.createSymbolicLink(proc.resolve("self"), Path.of(String.valueOf(self)));
        stat(1, "1 (init) S" + fieldsUpTo(1));
    }

    private void stat(long pid, String text) throws IOException {
        Files.writeString(
                Files.createDirectories(proc.resolve(String.valueOf(pid))).resolve("stat"), text);
    }

    /** The fields after the state, the last of them when it began. */
    private static String fieldsUpTo(long startTicks) {
        return " 0".repeat(18) + " " + startTicks + " 0 0";
    }

    private static Probe of(Map<String, Object> described) {
        return new Probe.OfProcess(
                (String) described.get("bootId"),
                (String) described.get("pidNamespace"),
                (Long) described.get("pid"),
                (Long) described.get("startTicks"));
    }
}
