package io.rollcall.demo;

import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

/**
 * A member of the fleet and its delegation.
 *
 * @param id of the delegation, the same however often registering is tried
 * @param role how it behaves
 * @param agent its name
 */
record DemoMember(UUID id, DemoRole role, String agent) {
    static final String CALLER = "demo";
    static final String ROLE_LABEL = "demo-role";

    static DemoMember of(DemoRole role, int number) {
        return new DemoMember(UUID.randomUUID(), role, "demo-" + role.word() + "-" + number);
    }

    /** The body that registers it. */
    Map<String, Object> registration() {
        Map<String, Object> body = new HashMap<>(role.terms());
        body.put("id", id);
        body.put("caller", CALLER);
        body.put("agent", agent);
        body.put("task", role.task());
        body.put("labels", Map.of(ROLE_LABEL, role.word()));
        return body;
    }
}
