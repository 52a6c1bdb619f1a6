package io.rollcall.liveness;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.ContainerStatusBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.fabric8.kubernetes.client.vertx.VertxHttpClientFactory;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Against the API server that the client's authors made for tests. */
class KubernetesProbeTest {
    private static final String PATH = "/api/v1/namespaces/agents/pods/agent-0";
    private static final Probe AGENT = new Probe.OfPod("agents", "agent-0", "uid-1");

    private final KubernetesMockServer server = new KubernetesMockServer(false);
    private KubernetesClient client;
    private KubernetesProbe probe;

    @BeforeEach
    void start() {
        server.init();
        HttpClient.Factory http = new VertxHttpClientFactory();
        client = server.createClient(builder -> builder.withHttpClientFactory(http)
                .editOrNewConfig()
                .withRequestRetryBackoffLimit(0)
                .endConfig());
        probe = new KubernetesProbe(true, () -> client);
    }

    @AfterEach
    void stop() {
        client.close();
        server.destroy();
    }

    @Test
    void aPodThatRunsIsAlive() {
        answer(pod("uid-1", "Running", "running"));
        assertEquals(Liveness.ALIVE, probe.ask(AGENT));
    }

    @Test
    void aPodIsAliveWhileOneOfItsContainersRuns() {
        answer(pod("uid-1", "Running", "terminated", "running", "waiting"));
        assertEquals(Liveness.ALIVE, probe.ask(AGENT));
    }

    @Test
    void aPodThatIsGoneIsDead() {
        server.expect()
                .get()
                .withPath(PATH)
                .andReturn(
                        404,
                        new StatusBuilder().withCode(404).withReason("NotFound").build())
                .always();
        assertEquals(Liveness.DEAD, probe.ask(AGENT));
    }

    @Test
    void anotherPodOfItsNameIsNotThatOne() {
        answer(pod("uid-2", "Running", "running"));
        assertEquals(Liveness.DEAD, probe.ask(AGENT));
    }

    @ParameterizedTest
    @CsvSource({"Running, terminated", "Running, terminated;terminated", "Succeeded, ''", "Failed, ''"})
    void aPodWhoseContainersHaveAllTerminatedIsDead(String phase, String states) {
        answer(pod("uid-1", phase, states.isEmpty() ? new String[0] : states.split(";")));
        assertEquals(Liveness.DEAD, probe.ask(AGENT));
    }

    @ParameterizedTest
    @CsvSource({"Pending, waiting", "Pending, ''", "Running, ''", "Running, terminated;waiting", "Unknown, ''"})
    void ofAPodOfWhichNothingRunsButMayNothingIsKnown(String phase, String states) {
        answer(pod("uid-1", phase, states.isEmpty() ? new String[0] : states.split(";")));
        assertEquals(Liveness.UNKNOWN, probe.ask(AGENT));
    }

    @Test
    void aContainerThatIsNotListedYetMayRun() {
        Pod pod = pod("uid-1", "Running", "terminated");
        pod.getSpec().getContainers().add(pod.getSpec().getContainers().get(0));
        answer(pod);
        assertEquals(Liveness.UNKNOWN, probe.ask(AGENT));
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 401, 403, 409, 429, 500, 503})
    void anErrorProvesNothing(int code) {
        server.expect()
                .get()
                .withPath(PATH)
                .andReturn(code, new StatusBuilder().withCode(code).build())
                .always();
        assertEquals(Liveness.UNKNOWN, probe.ask(AGENT));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "<html>no such page</html>", "{}", "{\"error\": \"not found\"}"})
    void notFoundByAnythingButKubernetesProvesNothing(String body) {
        server.expect().get().withPath(PATH).andReturn(404, body).always();
        assertEquals(Liveness.UNKNOWN, probe.ask(AGENT));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "<html></html>", "{}", "null"})
    void anAnswerThatIsNoPodProvesNothing(String body) {
        server.expect().get().withPath(PATH).andReturn(200, body).always();
        assertEquals(Liveness.UNKNOWN, probe.ask(AGENT));
    }

    @Test
    void anApiServerThatIsAwayProvesNothing() {
        server.destroy();
        assertEquals(Liveness.UNKNOWN, probe.ask(AGENT));
    }

    @Test
    void outsideAClusterNobodyIsAsked() {
        KubernetesProbe outside = new KubernetesProbe(false, () -> {
            throw new AssertionError("made a client");
        });
        assertEquals(Liveness.UNKNOWN, outside.ask(AGENT));
    }

    @Test
    void ofProcessesNothingIsKnown() {
        assertEquals(Liveness.UNKNOWN, probe.ask(new Probe.OfProcess("boot", "pid:[1]", 7L, 9L)));
        assertEquals(0, server.getRequestCount());
    }

    private void answer(Pod pod) {
        server.expect().get().withPath(PATH).andReturn(200, pod).always();
    }

    private static Pod pod(String uid, String phase, String... states) {
        List<String> containers = Arrays.asList(states);
        return new PodBuilder()
                .withNewMetadata()
                .withNamespace("agents")
                .withName("agent-0")
                .withUid(uid)
                .endMetadata()
                .withNewSpec()
                .addAllToContainers(IntStream.range(0, Math.max(1, containers.size()))
                        .mapToObj(i -> new ContainerBuilder().withName("c" + i).build())
                        .toList())
                .endSpec()
                .withNewStatus()
                .withPhase(phase)
                .addAllToContainerStatuses(
                        containers.stream().map(KubernetesProbeTest::container).toList())
                .endStatus()
                .build();
    }

    private static ContainerStatus container(String state) {
        var container = new ContainerStatusBuilder().withName(state);
        return switch (state) {
            case "running" ->
                container
                        .withNewState()
                        .withNewRunning()
                        .endRunning()
                        .endState()
                        .build();
            case "waiting" ->
                container
                        .withNewState()
                        .withNewWaiting()
                        .endWaiting()
                        .endState()
                        .build();
            case "terminated" ->
                container
                        .withNewState()
                        .withNewTerminated()
                        .endTerminated()
                        .endState()
                        .build();
            default -> throw new IllegalArgumentException(state);
        };
    }
}
