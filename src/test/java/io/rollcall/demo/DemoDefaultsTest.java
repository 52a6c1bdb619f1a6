package io.rollcall.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfig;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DemoDefaultsTest {
    private static final String INTERVAL = "rollcall.sweeper.interval";
    private static final String HEARTBEAT_TIMEOUT = "rollcall.lease.heartbeat-timeout";

    @Test
    void shortensTheTimingsWithTheDemo() {
        SmallRyeConfig config = configOf(Map.of(DemoDefaults.DEMO, "true"));

        assertEquals("PT5S", config.getConfigValue(INTERVAL).getValue());
        assertEquals("PT10S", config.getConfigValue(HEARTBEAT_TIMEOUT).getValue());
    }

    @Test
    void leavesTheTimingsAloneWithoutTheDemo() {
        assertNull(configOf(Map.of()).getConfigValue(INTERVAL).getValue());
        assertNull(configOf(Map.of(DemoDefaults.DEMO, "false"))
                .getConfigValue(INTERVAL)
                .getValue());
    }

    @Test
    void leavesTheTimingsToWhoeverChoseThem() {
        SmallRyeConfig config = configOf(Map.of(DemoDefaults.DEMO, "true", INTERVAL, "PT7S"));

        assertEquals("PT7S", config.getConfigValue(INTERVAL).getValue());
        assertEquals("PT10S", config.getConfigValue(HEARTBEAT_TIMEOUT).getValue());
    }

    @Test
    void leavesTheTimingsToTheirOlderNamesToo() {
        SmallRyeConfig config = configOf(Map.of(DemoDefaults.DEMO, "true", "DELEGATION_SWEEPER_INTERVAL_S", "7"));

        assertNull(config.getConfigValue(INTERVAL).getValue());
    }

    private static SmallRyeConfig configOf(Map<String, String> settings) {
        return new SmallRyeConfigBuilder()
                .withSources(new PropertiesConfigSource(settings, "chosen", 300))
                .withSources(new DemoDefaults())
                .build();
    }
}
