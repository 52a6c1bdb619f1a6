package io.rollcall.sweep;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.rollcall.lease.LeaseScan;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BrakeTest {
    @ParameterizedTest(name = "{0} of {1} stale, ratio {2}, at least {3}: {4}")
    @CsvSource(delimiter = '|', textBlock = """
            # stale | can go stale | ratio | min | holds back
            # more than the share, strictly
            20      | 40           | 0.5   | 20  | false
            21      | 40           | 0.5   | 20  | true
            20      | 39           | 0.5   | 20  | true
            500     | 1000         | 0.5   | 20  | false
            501     | 1000         | 0.5   | 20  | true
            # at least so many
            19      | 19           | 0.5   | 20  | false
            20      | 20           | 0.5   | 20  | true
            1       | 1            | 0.5   | 1   | true
            # nothing to judge
            0       | 0            | 0.5   | 20  | false
            0       | 0            | 0     | 0   | false
            0       | 100          | 0.5   | 0   | false
            # a ratio of 1 cannot be exceeded, nor can one above
            100     | 100          | 1.0   | 20  | false
            100     | 100          | 1.5   | 20  | false
            100     | 100          | 0.99  | 20  | true
            # with a ratio of 0 one is enough
            1       | 100          | 0     | 1   | true
            # large numbers
            3000000 | 5000000      | 0.6   | 20  | false
            3000001 | 5000000      | 0.6   | 20  | true
            """)
    void holdsBackWhereTooManyOfThoseThatCanGoStaleAreStale(
            long stale, long canGoStale, double ratio, int min, boolean holdsBack) {
        LeaseScan scan = new LeaseScan(canGoStale + 50, 50, canGoStale, stale, 0, true);

        assertEquals(holdsBack, Brake.isMassStaleness(scan, ratio, min));
    }
}
