package io.rollcall.boot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

class BootConfigTest {
    private static final int IN_THE_PACKAGE = 250;
    private static final int IN_A_FILE_OUTSIDE = 260;

    private static final EmbeddedDatabase.Server SERVER = new EmbeddedDatabase.Server() {
        @Override
        public String jdbcUrl() {
            return "jdbc:postgresql://127.0.0.1:1/rollcall";
        }

        @Override
        public String username() {
            return "user";
        }

        @Override
        public String password() {
            return "secret";
        }

        @Override
        public void close() {}
    };

    @Test
    void findsTheDatabaseThatSomebodyConfigured() {
        assertTrue(configOf(Map.of(BootConfig.JDBC_URL, "jdbc:postgresql://db/rollcall"), IN_A_FILE_OUTSIDE)
                .hasDatabase());
    }

    @Test
    void takesAnEmptyUrlForNone() {
        assertFalse(configOf(Map.of(), IN_A_FILE_OUTSIDE).hasDatabase());
        assertFalse(
                configOf(Map.of(BootConfig.JDBC_URL, " "), IN_A_FILE_OUTSIDE).hasDatabase());
    }

    @Test
    void keepsDataBelowTheWorkingDirectoryUnlessToldOtherwise() {
        assertEquals(
                Path.of(".rollcall/postgresql"),
                configOf(Map.of(), IN_A_FILE_OUTSIDE).dataDirectory());
        assertEquals(
                Path.of("/srv/data"),
                configOf(Map.of(BootConfig.DATA_DIRECTORY, "/srv/data"), IN_A_FILE_OUTSIDE)
                        .dataDirectory());
    }

    @Test
    void bindsToTheLoopbackAndLogsTextWithTheEmbeddedDatabase() {
        var packaged = configOf(Map.of("quarkus.log.console.json.enabled", "true"), IN_THE_PACKAGE);

        assertEquals(
                Map.of(
                        "quarkus.datasource.jdbc.url", "jdbc:postgresql://127.0.0.1:1/rollcall",
                        "quarkus.datasource.username", "user",
                        "quarkus.datasource.password", "secret",
                        "rollcall.embedded.running", "true",
                        "quarkus.http.host", "127.0.0.1",
                        "quarkus.log.console.json.enabled", "false"),
                packaged.settingsFor(SERVER));
    }

    @Test
    void leavesTheChoicesOfWhoeverRunsTheServiceAlone() {
        var chosen = configOf(
                Map.of("quarkus.http.host", "0.0.0.0", "quarkus.log.console.json.enabled", "true"), IN_A_FILE_OUTSIDE);

        var settings = chosen.settingsFor(SERVER);

        assertFalse(settings.containsKey("quarkus.http.host"));
        assertFalse(settings.containsKey("quarkus.log.console.json.enabled"));
    }

    private static BootConfig configOf(Map<String, String> values, int ordinal) {
        return new BootConfig(new SmallRyeConfigBuilder()
                .withSources(new PropertiesConfigSource(values, "test", ordinal))
                .build());
    }
}
