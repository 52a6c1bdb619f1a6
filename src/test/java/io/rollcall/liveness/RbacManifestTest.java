package io.rollcall.liveness;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.rbac.Role;
import io.fabric8.kubernetes.api.model.rbac.RoleBinding;
import io.fabric8.kubernetes.api.model.rbac.RoleRef;
import io.fabric8.kubernetes.api.model.rbac.Subject;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the service asks to be allowed: exactly what the probe needs. */
class RbacManifestTest {
    @Test
    void theServiceMayGetPodsAndNothingElse() throws IOException {
        List<HasMetadata> manifest =
                new KubernetesSerialization().unmarshal(Files.newInputStream(Path.of("k8s/rbac.yaml")));

        ServiceAccount account = (ServiceAccount) manifest.get(0);
        Role role = (Role) manifest.get(1);
        RoleBinding binding = (RoleBinding) manifest.get(2);
        assertEquals(3, manifest.size());
        PolicyRule rule = new PolicyRule();
        rule.setApiGroups(List.of(""));
        rule.setResources(List.of("pods"));
        rule.setVerbs(List.of("get"));
        assertEquals(List.of(rule), role.getRules());
        assertEquals(
                new RoleRef(
                        "rbac.authorization.k8s.io", "Role", role.getMetadata().getName()),
                binding.getRoleRef());
        assertEquals(
                List.of(new Subject(
                        null,
                        "ServiceAccount",
                        account.getMetadata().getName(),
                        account.getMetadata().getNamespace())),
                binding.getSubjects());
        assertEquals(account.getMetadata().getNamespace(), role.getMetadata().getNamespace());
        assertEquals(role.getMetadata().getNamespace(), binding.getMetadata().getNamespace());
        assertEquals(
                "{}{}{}",
                "" + account.getAdditionalProperties() + role.getAdditionalProperties()
                        + binding.getAdditionalProperties());
    }
}
