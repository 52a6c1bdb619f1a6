package io.rollcall.liveness;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.quarkus.runtime.annotations.RegisterForReflection;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;
import org.eclipse.microprofile.openapi.annotations.media.DiscriminatorMapping;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** Where an agent can be found, as it said itself. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
@JsonSubTypes({
    @JsonSubTypes.Type(name = Probe.OfProcess.KIND, value = Probe.OfProcess.class),
    @JsonSubTypes.Type(name = Probe.OfPod.KIND, value = Probe.OfPod.class)
})
@Schema(
        oneOf = {Probe.OfProcess.class, Probe.OfPod.class},
        discriminatorProperty = "kind",
        discriminatorMapping = {
            @DiscriminatorMapping(value = Probe.OfProcess.KIND, schema = Probe.OfProcess.class),
            @DiscriminatorMapping(value = Probe.OfPod.KIND, schema = Probe.OfPod.class)
        })
@RegisterForReflection
public sealed interface Probe {
    /**
     * A process on Linux.
     *
     * @param bootId which boot of which machine: {@code /proc/sys/kernel/random/boot_id}
     * @param pidNamespace where its number counts: the link {@code /proc/self/ns/pid}
     * @param pid its number there
     * @param startTicks when it began, in clock ticks since the boot: field 22 of {@code /proc/PID/stat}
     */
    @Schema(name = "ProcessProbe")
    @RegisterForReflection
    record OfProcess(
            @NotNull @Size(min = 1, max = 64) String bootId,
            @NotNull @Size(min = 1, max = 64) String pidNamespace,
            @NotNull @Min(1) Long pid,
            @NotNull @Min(0) Long startTicks)
            implements Probe {
        static final String KIND = "process";
    }

    /**
     * A pod of Kubernetes. Its names become part of an address, so they are no more than names.
     *
     * @param namespace its namespace
     * @param pod its name
     * @param uid its {@code metadata.uid}
     */
    @Schema(name = "KubernetesProbe")
    @RegisterForReflection
    record OfPod(
            @NotNull @Pattern(regexp = "[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?")
            String namespace,

            @NotNull @Pattern(regexp = "[a-z0-9]([-.a-z0-9]{0,251}[a-z0-9])?")
            String pod,

            @NotNull @Size(min = 1, max = 128) String uid)
            implements Probe {
        static final String KIND = "kubernetes";
    }
}
