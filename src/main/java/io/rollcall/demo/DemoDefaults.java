package io.rollcall.demo;

import io.smallrye.config.ConfigSourceContext;
import io.smallrye.config.ConfigSourceFactory;
import io.smallrye.config.ConfigValue;
import io.smallrye.config.PropertiesConfigSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.eclipse.microprofile.config.spi.ConfigSource;
import org.jspecify.annotations.Nullable;

/** With the demo, timings are short unless somebody chose others; found by {@link java.util.ServiceLoader}. */
public final class DemoDefaults implements ConfigSourceFactory {
    static final String DEMO = "rollcall.demo";

    /** Below every source that a person writes to. */
    private static final int ORDINAL = 10;

    private static final List<Default> DEFAULTS = List.of(
            new Default("rollcall.sweeper.interval", "DELEGATION_SWEEPER_INTERVAL_S", "PT5S"),
            new Default("rollcall.lease.heartbeat-timeout", "DELEGATION_STUCK_THRESHOLD_S", "PT10S"));

    /** A setting, the older name under which it may have been chosen, and what the demo makes of it. */
    private record Default(String name, String olderName, String value) {}

    @Override
    public Iterable<ConfigSource> getConfigSources(ConfigSourceContext context) {
        if (!"true".equalsIgnoreCase(valueOf(context, DEMO))) {
            return List.of();
        }
        Map<String, String> settings = new HashMap<>();
        for (Default setting : DEFAULTS) {
            if (valueOf(context, setting.olderName()) == null) {
                settings.put(setting.name(), setting.value());
            }
        }
        return List.of(new PropertiesConfigSource(settings, DEMO, ORDINAL));
    }

    private static @Nullable String valueOf(ConfigSourceContext context, String name) {
        @Nullable ConfigValue value = context.getValue(name);
        return value == null ? null : value.getValue();
    }
}
