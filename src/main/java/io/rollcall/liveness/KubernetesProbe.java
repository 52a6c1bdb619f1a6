package io.rollcall.liveness;

import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodStatus;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.eclipse.microprofile.config.Config;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Asks the API server about pods, with the service account that the service runs under. Outside a cluster it neither asks
 * anybody nor makes a client: a kubeconfig that lies about is not meant for this.
 */
@Singleton
class KubernetesProbe implements LivenessProbe {
    private static final Logger LOG = Logger.getLogger(KubernetesProbe.class);

    /** Phases that stand for: all its containers have terminated, and none will be started again. */
    private static final Set<String> ENDED = Set.of("Succeeded", "Failed");

    private final boolean inCluster;
    private final Supplier<KubernetesClient> client;

    @Inject
    KubernetesProbe(Config config, Instance<KubernetesClient> client) {
        this(
                Stream.of("KUBERNETES_SERVICE_HOST", "KUBERNETES_MASTER")
                        .anyMatch(variable ->
                                config.getOptionalValue(variable, String.class).isPresent()),
                client::get);
    }

    KubernetesProbe(boolean inCluster, Supplier<KubernetesClient> client) {
        this.inCluster = inCluster;
        this.client = client;
    }

    @Override
    public Liveness ask(Probe probe) {
        if (!inCluster || !(probe instanceof Probe.OfPod wanted)) {
            return Liveness.UNKNOWN;
        }
        try {
            Pod pod = client.get()
                    .pods()
                    .inNamespace(wanted.namespace())
                    .withName(wanted.pod())
                    .require();
            return judge(pod, wanted.uid());
        } catch (RuntimeException e) {
            LOG.debugf(e, "Could not ask for pod %s/%s.", wanted.namespace(), wanted.pod());
            return saysNotFound(e) ? Liveness.DEAD : Liveness.UNKNOWN;
        }
    }

    /** Whether Kubernetes itself says so: anything between us and it can answer 404 as well. */
    private static boolean saysNotFound(RuntimeException failure) {
        return failure.getCause() instanceof KubernetesClientException answer
                && answer.getCode() == 404
                && answer.getStatus() != null
                && "NotFound".equals(answer.getStatus().getReason());
    }

    private static Liveness judge(Pod pod, String uid) {
        if (pod.getMetadata() == null || pod.getMetadata().getUid() == null) {
            return Liveness.UNKNOWN;
        } else if (!uid.equals(pod.getMetadata().getUid())) {
            return Liveness.DEAD;
        }
        PodStatus status = pod.getStatus();
        if (status == null) {
            return Liveness.UNKNOWN;
        } else if (ENDED.contains(String.valueOf(status.getPhase())) || allTerminated(pod, status)) {
            return Liveness.DEAD;
        }
        return containers(status).stream().anyMatch(KubernetesProbe::isRunning) ? Liveness.ALIVE : Liveness.UNKNOWN;
    }

    private static boolean allTerminated(Pod pod, PodStatus status) {
        List<ContainerStatus> containers = containers(status);
        int wanted = pod.getSpec() == null ? 1 : pod.getSpec().getContainers().size();
        return !containers.isEmpty()
                && containers.size() >= wanted
                && containers.stream()
                        .allMatch(container -> container.getState() != null
                                && container.getState().getTerminated() != null);
    }

    private static boolean isRunning(ContainerStatus container) {
        return container.getState() != null && container.getState().getRunning() != null;
    }

    private static List<ContainerStatus> containers(PodStatus status) {
        @Nullable List<ContainerStatus> containers = status.getContainerStatuses();
        return containers == null ? List.of() : containers;
    }
}
