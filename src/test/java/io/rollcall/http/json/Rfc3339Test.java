package io.rollcall.http.json;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Instant;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Times on the wire. */
class Rfc3339Test {
    @ParameterizedTest
    @CsvSource({
        "2026-01-02T03:04:05.123456Z,    2026-01-02T03:04:05.123456Z",
        "2026-01-02T03:04:05.123456789Z, 2026-01-02T03:04:05.123456Z",
        "2026-12-31T23:59:59Z,           2026-12-31T23:59:59.000000Z",
        "2026-10-20T10:20:30.000001Z,    2026-10-20T10:20:30.000001Z",
        "2026-10-20T00:00:00.100000Z,    2026-10-20T00:00:00.100000Z",
        "1969-12-31T23:59:59.999999Z,    1969-12-31T23:59:59.999999Z",
        "0001-01-01T00:00:00Z,           0001-01-01T00:00:00.000000Z",
        "9999-12-31T23:59:59.999999Z,    9999-12-31T23:59:59.999999Z",
    })
    void areWrittenInUtcWithMicroseconds(Instant time, String written) {
        assertEquals(written, Rfc3339.format(time));
    }

    @Test
    void areReadAsTheyWereWritten() {
        Random random = new Random(4);
        long micros = Instant.parse("2199-01-01T00:00:00Z").getEpochSecond() * 1_000_000;
        for (int i = 0; i < 10_000; i++) {
            long at = random.nextLong(micros);
            Instant time = Instant.ofEpochSecond(at / 1_000_000, at % 1_000_000 * 1_000);

            assertEquals(Optional.of(time), Rfc3339.parse(Rfc3339.format(time)));
        }
    }
}
