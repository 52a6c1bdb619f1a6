package io.rollcall.boot;

import io.quarkus.runtime.configuration.ConfigUtils;
import io.smallrye.config.SmallRyeConfig;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** What is configured before Quarkus starts, and what the embedded database adds to it. */
final class BootConfig {
    static final String JDBC_URL = "quarkus.datasource.jdbc.url";
    static final String DATA_DIRECTORY = "rollcall.embedded.data-dir";
    static final String EMBEDDED_RUNNING = "rollcall.embedded.running";

    private static final String DEFAULT_DATA_DIRECTORY = ".rollcall/postgresql";

    /** The ordinal of the {@code application.properties} in the package; whoever runs the service speaks from above it. */
    private static final int PACKAGED_ORDINAL = 250;

    private final SmallRyeConfig config;

    BootConfig(SmallRyeConfig config) {
        this.config = config;
    }

    /** Reads all that Quarkus will read: system properties, environment, {@code .env}, files outside and inside the package. */
    static BootConfig read() {
        return new BootConfig(ConfigUtils.configBuilder().build());
    }

    boolean hasDatabase() {
        return isSet(JDBC_URL, Integer.MIN_VALUE);
    }

    Path dataDirectory() {
        return Path.of(config.getOptionalValue(DATA_DIRECTORY, String.class).orElse(DEFAULT_DATA_DIRECTORY));
    }

    /** The settings to make for an embedded server; a choice of whoever runs the service stays as it is. */
    Map<String, String> settingsFor(EmbeddedDatabase.Server server) {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put(JDBC_URL, server.jdbcUrl());
        settings.put("quarkus.datasource.username", server.username());
        settings.put("quarkus.datasource.password", server.password());
        settings.put(EMBEDDED_RUNNING, "true");
        // A trial on somebody's machine: not for the network, and read by a person.
        putUnlessChosen(settings, "quarkus.http.host", "127.0.0.1");
        putUnlessChosen(settings, "quarkus.log.console.json.enabled", "false");
        return settings;
    }

    private void putUnlessChosen(Map<String, String> settings, String name, String value) {
        if (!isSet(name, PACKAGED_ORDINAL)) {
            settings.put(name, value);
        }
    }

    private boolean isSet(String name, int aboveOrdinal) {
        var value = config.getConfigValue(name);
        return value.getValue() != null && !value.getValue().isBlank() && value.getSourceOrdinal() > aboveOrdinal;
    }
}
