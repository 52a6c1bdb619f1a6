package io.rollcall.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.smallrye.config.EnvConfigSource;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfig;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TimingTest {
    private static final String NAME = "rollcall.sweeper.interval";
    private static final String OLDER = "DELEGATION_SWEEPER_INTERVAL_S";
    private static final Duration FALLBACK = Duration.ofMinutes(5);

    private final Logger logger = Logger.getLogger(Timing.class.getName());
    private final Recorder log = new Recorder();

    /** Keeps what is logged. */
    private static final class Recorder extends Handler {
        private final List<LogRecord> records = new ArrayList<>();

        @Override
        public void publish(LogRecord message) {
            records.add(message);
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}

        private List<String> warnings() {
            return records.stream()
                    .filter(message -> message.getLevel().intValue() >= Level.WARNING.intValue())
                    .map(Recorder::text)
                    .toList();
        }

        /** The logger hands over a format and its arguments apart. */
        private static String text(LogRecord message) {
            Object[] parameters = message.getParameters();
            return parameters == null
                    ? message.getMessage()
                    : message.getMessage().formatted(parameters);
        }
    }

    @BeforeEach
    void listen() {
        logger.addHandler(log);
    }

    @AfterEach
    void stopListening() {
        logger.removeHandler(log);
    }

    @ParameterizedTest(name = "{0} is {1}")
    @CsvSource({
        "PT2M, PT2M",
        "PT0.5S, PT0.5S",
        "pt1h, PT1H",
        "90, PT90S",
        "90s, PT90S",
        "10m, PT10M",
        "' PT2M ', PT2M",
        "P30D, PT720H",
        "PT0.000001S, PT0.000001S"
    })
    void readsADuration(String value, Duration expected) {
        assertEquals(expected, read(Map.of(NAME, value)));
        assertEquals(List.of(), log.warnings());
    }

    @ParameterizedTest(name = "\"{0}\"")
    @ValueSource(
            strings = {"0", "PT0S", "-1", "-PT5M", "PT-5M", "five minutes", "5 m m", "PT", "PT5X", "1e3", "NaN", "5,0"})
    void fallsBackWithOneWarningThatNamesTheSetting(String value) {
        assertEquals(FALLBACK, read(Map.of(NAME, value)));

        assertEquals(1, log.warnings().size(), () -> "warnings: " + log.warnings());
        String warning = log.warnings().get(0);
        assertTrue(warning.contains(NAME), warning);
        assertTrue(warning.contains("'" + value + "'"), warning);
        assertTrue(warning.contains("PT5M"), warning);
    }

    @Test
    void isTheDefaultWithoutAWarningWhereNothingIsSet() {
        assertEquals(FALLBACK, read(Map.of()));
        assertEquals(List.of(), log.warnings());
    }

    @Test
    void anEmptyValueCountsAsNotSet() {
        assertEquals(FALLBACK, read(Map.of(NAME, "")));
        assertEquals(Duration.ofSeconds(7), read(Map.of(NAME, "", OLDER, "7")));
        assertEquals(List.of(), log.warnings());
    }

    @ParameterizedTest(name = "{0} s")
    @CsvSource({"300, PT5M", "1, PT1S", "' 60 ', PT1M", "86400, P1D"})
    void readsTheOlderNameInSeconds(String seconds, Duration expected) {
        assertEquals(expected, read(Map.of(OLDER, seconds)));
        assertEquals(List.of(), log.warnings());
    }

    @ParameterizedTest(name = "\"{0}\"")
    @ValueSource(strings = {"0", "-300", "PT5M", "5m", "1.5", "abc", "9223372036854775808"})
    void fallsBackWithOneWarningThatNamesTheOlderNameToo(String value) {
        assertEquals(FALLBACK, read(Map.of(OLDER, value)));

        assertEquals(1, log.warnings().size(), () -> "warnings: " + log.warnings());
        assertTrue(log.warnings().get(0).contains(OLDER), log.warnings().get(0));
    }

    @Test
    void theNewerNameCountsWhereBothAreSet() {
        assertEquals(Duration.ofMinutes(2), read(Map.of(NAME, "PT2M", OLDER, "60")));
        assertEquals(List.of(), log.warnings());
    }

    @Test
    void theNewerNameCountsEvenWhereItsValueIsBad() {
        assertEquals(FALLBACK, read(Map.of(NAME, "soon", OLDER, "60")));
        assertEquals(1, log.warnings().size());
        assertTrue(log.warnings().get(0).contains(NAME), log.warnings().get(0));
    }

    @Test
    void bothNamesAreFoundInTheEnvironment() {
        SmallRyeConfig newer = environment(Map.of("ROLLCALL_SWEEPER_INTERVAL", "PT3M", OLDER, "60"));
        SmallRyeConfig older = environment(Map.of(OLDER, "60"));

        assertEquals(Duration.ofMinutes(3), Timing.of(newer, NAME, Optional.of(OLDER), FALLBACK));
        assertEquals(Duration.ofMinutes(1), Timing.of(older, NAME, Optional.of(OLDER), FALLBACK));
    }

    @Test
    void anOlderNameCountsOnlyWhereTheSettingHasOne() {
        SmallRyeConfig config = environment(Map.of(OLDER, "60"));

        assertEquals(FALLBACK, Timing.of(config, "rollcall.sweeper.brake.max-hold", Optional.empty(), FALLBACK));
    }

    private static Duration read(Map<String, String> values) {
        SmallRyeConfig config = new SmallRyeConfigBuilder()
                .withSources(new PropertiesConfigSource(values, "test", 100))
                .build();
        return Timing.of(config, NAME, Optional.of(OLDER), FALLBACK);
    }

    private static SmallRyeConfig environment(Map<String, String> variables) {
        return new SmallRyeConfigBuilder()
                .withSources(new EnvConfigSource(variables, 300))
                .build();
    }
}
