package io.rollcall.delegation;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AftermathTest {
    @ParameterizedTest(name = "recovery {0}, silent {1}, retryable {2}, budget left {3}: {4}")
    @CsvSource(delimiter = '|', textBlock = """
            # recovery | silent | retryable | has budget | aftermath
            NONE       | true   | true      | true       | STUCK
            NONE       | true   | true      | false      | STUCK
            NONE       | true   | false     | true       | STUCK
            NONE       | true   | false     | false      | STUCK
            NONE       | false  | true      | true       | FAILED
            NONE       | false  | true      | false      | FAILED
            NONE       | false  | false     | true       | FAILED
            NONE       | false  | false     | false      | FAILED
            REQUEUE    | true   | true      | true       | REQUEUED
            REQUEUE    | true   | true      | false      | RETRIES_EXHAUSTED
            REQUEUE    | true   | false     | true       | NOT_RETRYABLE
            REQUEUE    | true   | false     | false      | NOT_RETRYABLE
            REQUEUE    | false  | true      | true       | REQUEUED
            REQUEUE    | false  | true      | false      | RETRIES_EXHAUSTED
            REQUEUE    | false  | false     | true       | NOT_RETRYABLE
            REQUEUE    | false  | false     | false      | NOT_RETRYABLE
            """)
    void dependsOnRecoveryFirst(
            Recovery recovery, boolean silent, boolean retryable, boolean hasBudget, Aftermath aftermath) {
        assertEquals(aftermath, Aftermath.of(recovery, silent, retryable, hasBudget));
    }
}
