package io.rollcall.delegation;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Who makes something happen to a delegation, by which rule, and what it was judged by. Becomes part of the event.
 *
 * @param actor {@code agent:name}, {@code caller:name}, {@code operator} or {@code sweeper}
 * @param rule the sweeper's rule, by its name in the settings; null for everybody else
 * @param inputs what the decision was judged by, and what was said with it
 */
public record Evidence(String actor, @Nullable String rule, Map<String, Object> inputs) {
    /** What an agent did. */
    public static Evidence ofAgent(String agent) {
        return new Evidence("agent:" + agent, null, Map.of());
    }

    /** What a caller did. */
    public static Evidence ofCaller(String caller) {
        return new Evidence("caller:" + caller, null, Map.of());
    }

    /** What an operator did. */
    public static Evidence ofOperator() {
        return new Evidence("operator", null, Map.of());
    }

    /** What a rule of the sweeper did, and what it was judged by. */
    public static Evidence ofSweeper(String rule, Map<String, Object> inputs) {
        return new Evidence("sweeper", rule, inputs);
    }

    /** The same with one more input; null values are left out. */
    public Evidence with(String name, @Nullable Object value) {
        if (value == null) {
            return this;
        }
        Map<String, Object> more = new LinkedHashMap<>(inputs);
        more.put(name, value);
        return new Evidence(actor, rule, more);
    }
}
